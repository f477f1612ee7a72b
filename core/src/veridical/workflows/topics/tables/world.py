# ruff: noqa: E501, RUF001 - a phrase is a line; letters of other scripts are what these tables are made of
"""By what one tells that the answer stands in the world, and not in the conversation or in a programmer's head."""

from __future__ import annotations

from veridical.workflows.topics.phrases import Phrases, listed

__all__ = [
    "ABOUT_THE_WORLD",
    "COMPANIES",
    "CONSTANTS",
    "CURRENCIES",
    "FACTS",
    "FACT_GENRES",
    "FACT_PHRASES",
    "PLACES",
    "RELEASE_FACTS",
    "STATIC_FACTS",
    "UNSPACED_FACTS",
]

# What changes in the world and what one looks up: a question that holds one is about facts, whatever else it mentions.
FACTS = listed(
    """
    capital population inhabitants altitude currency gdp inflation unemployment economy election elections vote votes referendum parliament government president war wars battle treaty revolution empire dynasty invasion earthquake
    hurricane flood eruption pandemic epidemic virus vaccine vaccines vaccination disease diseases symptom symptoms treatment cure dose dosage aspirin ibuprofen paracetamol acetaminophen antibiotic antibiotics medication medicine
    medicines drug drugs diabetes cancer covid flu pregnancy pregnant allergy allergic vitamin vitamins calories calorie alcohol cholesterol insulin lung kidney liver blood migraine fever toxic poisonous venomous
    law laws legal illegal lawful legally lawsuit court supreme constitution statute regulation regulations gdpr hipaa dsgvo tax taxes taxed vat visa passport customs tenant tenants landlord copyright patent patents trademark
    weather forecast temperature climate news headline headlines stock stocks nasdaq dow bitcoin ethereum crypto usd eur gbp dollars euros yen rupees mortgage exchange
    company companies corporation startup startups manufacturer headquarters headquartered revenue revenues turnover profit profits employees valuation ipo acquired acquisition acquire merger merged bankrupt bankruptcy layoffs
    competitor competitors subsidiary
    league cup championship tournament olympics olympic medal medals standings playoffs
    planet planets moon sun mars jupiter star galaxy asteroid comet orbit nasa spacecraft rocket atom atoms molecule photosynthesis evolution dinosaur dinosaurs species mammal whale elephant animal animals
    river rivers mountain mountains lake ocean island islands continent country countries city cities border borders airport museum bridge tower stadium restaurant restaurants hotel hotels flights flight ferry
    movie movies film films novel album song oscar oscars grammy nobel prize award awards episode premiere
    century historical history ancient medieval religion invented invention discovered discovery founded founding
    price prices cost costs salary wage wages opening hours university universities
    """,
    """
    hauptstadt einwohner bevolkerung flache wahrung inflation wahl wahlen bundestag bundesrat regierung krieg kriege schlacht vertrag erdbeben krankheit symptome impfung medikament medikamente dosierung nebenwirkung nebenwirkungen
    alkohol schwangerschaft gesetz gesetze legal illegal strafbar gericht urteil urteile verfassung steuer steuern mehrwertsteuer mietrecht vermieter kundigungsfrist mindestlohn datenschutz visum wetter vorhersage nachrichten aktie aktien kurs
    aktienkurs umsatz gewinn mitarbeiter firma unternehmen hersteller konzern hauptsitz insolvenz ubernahme preis preise kostet kosten liga weltmeisterschaft bundesliga planet mond sonne mars fluss flusse berg berge
    insel land lander stadt stadte flughafen museum brucke restaurant restaurants hotel zug film filme buch roman album nobelpreis oscar jahrhundert geschichte erfunden entdeckt gegrundet gebaut eroffnet offnungszeiten universitat
    vitamine vitamin tier tiere lichtgeschwindigkeit mauer grundgesetz rente zinsen leitzins kunden
    """,
    """
    capitale population habitants superficie monnaie election elections gouvernement guerre bataille traite maladie symptomes vaccin medicament medicaments posologie alcool grossesse loi lois legal illegal tribunal constitution
    impot impots tva meteo nouvelles actualite actualites bourse action cours entreprise societe siege chiffre benefice salaries employes fabricant prix coute cout ligue coupe championnat planete lune soleil fleuve riviere
    montagne lac ile pays ville villes aeroport musee restaurant restaurants hotel film films livre roman siecle histoire invente decouvert fonde fondee construit construite horaires universite smic retraite preavis loyer
    lumiere vitesse
    """,
    """
    capital poblacion habitantes superficie moneda eleccion elecciones gobierno guerra batalla tratado enfermedad sintomas vacuna medicamento medicamentos dosis alcohol embarazo ley leyes legal ilegal tribunal constitucion impuesto
    impuestos iva noticias bolsa acciones empresa compania sede ingresos empleados fabricante precio precios cuesta costo partido liga copa campeonato mundial planeta luna rio montana lago isla pais paises
    ciudad ciudades aeropuerto museo puente restaurante restaurantes hotel tren pelicula peliculas libro novela siglo historia invento descubierto fundada fundado construido horario universidad salario luz velocidad
    """,
    """
    capitale popolazione abitanti superficie valuta moneta elezioni governo guerra battaglia trattato malattia sintomi vaccino farmaco farmaci dosaggio alcol gravidanza legge leggi legale illegale tribunale costituzione tasse tassa iva
    meteo notizie borsa azioni azienda societa sede fatturato dipendenti prezzo prezzi costa costo partita lega coppa campionato scudetto mondiali pianeta luna fiume montagna monte lago isola paese paesi citta aeroporto museo
    ristorante ristoranti hotel treno film libro romanzo secolo storia inventato scoperto fondata fondato costruito orari universita luce velocita
    """,
    """
    capital populacao habitantes moeda eleicao eleicoes governo guerra batalha tratado doenca sintomas vacina medicamento remedio remedios dose alcool gravidez lei leis legal ilegal tribunal constituicao imposto impostos previsao
    noticias bolsa acoes empresa sede receita funcionarios preco precos custa custo jogo liga copa campeonato planeta lua rio montanha lago ilha pais paises cidade cidades aeroporto museu restaurante restaurantes filme
    filmes livro romance seculo historia inventado descoberto fundada fundado construido horario universidade salario luz velocidade
    """,
    """
    hoofdstad inwoners bevolking oppervlakte verkiezing verkiezingen regering oorlog slag verdrag ziekte symptomen vaccin medicijn medicijnen dosering alcohol zwangerschap wet wetten legaal illegaal rechtbank grondwet belasting btw
    nieuws beurs aandeel aandelen koers bedrijf omzet winst werknemers hoofdkantoor prijs prijzen kost wedstrijd competitie kampioen kampioenschap planeet maan zon rivier berg eiland land landen stad steden vliegveld
    museum brug toren restaurant hotel trein film boek roman eeuw geschiedenis uitgevonden ontdekt opgericht gebouwd openingstijden universiteit minimumloon licht
    """,
    """
    столица столицу столицы население валюта выборы правительство война войны битва договор болезнь симптомы вакцина лекарство закон законы налог погода новости акции компания компании цена стоит матч чемпионат планета луна солнце
    река гора озеро остров страна страны город города музей мост башня фильм книга век история изобретен основан основана построен курс доллара биткоин
    """,
)
# Facts that no program looks up for itself: they would have to stand in what is written.
STATIC_FACTS = listed(
    """
    capital capitals population populations inhabitants president presidents gdp founded headquarters headquartered revenue employees ceo history war wars battle election elections nobel winners laureates planets casualties
    ingredients symptoms dosage dose treaty revolution monarchs kings queens popes chancellors astronauts olympics hauptstadt hauptstadte hauptstadten einwohner einwohnerzahl einwohnerzahlen capitale capitales capitali poblacion
    populacao population presidentes presidents presidenti kanzler prasidenten hoofdstad hoofdsteden столица столицы
    """
)
# What stands in the world about software: who makes it, under which licence, whether it is safe, which one is new.
RELEASE_FACTS = Phrases(
    """
    which|what|welche|quelle|que|quale ~ version|versions|release
    ^did|has|have|was|were python|java|rust|linux|windows|docker|kubernetes|react|angular|node|git|ubuntu|debian|mysql|postgres|redis|mongodb|swift|kotlin|go|ruby|php|android|excel|django|flask|numpy|pandas|typescript|javascript
    drop|dropped|drops|add|added|end|ended support
    malware|backdoor|trojan|spyware in|is|was
    backed|bought|run|funded|financed|paid
    when did|was|were|has|have
    which|what|who came|come|was|is first|older|oldest|newer
    cheapest|fastest|newest|oldest|largest|biggest|smallest|safest|slowest|youngest
    most popular|used|downloaded|loved|hated|starred|widely|common|secure
    still own|owns|used|use|have|has|exist|exists|supported|maintained|alive|free|a|the|being|support|part|developed|relevant|active|available
    own|owns|owned|owner|belong|belongs
    used by|at|in|most
    how many people|developers|users|companies|downloads|stars|contributors|employees|sites|websites|percent|programmers|versions
    free|paid|subscription for|to|tier|version|plan|license
    is|are|was|were|isn ~ open source|sourced
    gpl|agpl|lgpl|copyleft|rfc|rfcs
    what|whats ~ new|changed in|with
    introduced|discontinued|abandoned|renamed|named|rebranded
    companies|company|banks|industry|industries|market|funding|investors|lawsuits|controversy|controversies|scandal
    seit wann
    depuis quand
    desde cuando|quando
    da quando
    sinds wanneer
    wie viele menschen|leute|entwickler|nutzer|firmen|unternehmen
    jobs|salary|salaries|hired|hiring|older|newer|founder|founders
    licence|license|licensed|licences|licenses|licensing
    lizenz|lizenzen|lizenziert|licencia|licenza|licenca|licentie|лицензия|лицензией
    released|release|released|launched|announced|deprecated|discontinued|sunset ~ ^?
    latest|newest|current|last|stable|upcoming|new|lts stable? lts? version|versions|release|releases
    neueste|aktuelle|letzte version
    derniere|nouvelle version
    version ~ released|latest|newest|current|came|erschien*|veroffentlicht|sortie
    ultima|nuova|actual|nueva|mas version|versione|versao
    laatste|nieuwste versie
    последняя версия
    end of life|support
    eol
    cve|cves|vulnerability|vulnerabilities|vulnerable|breach|breached|hacked|exploit|exploited|backdoor|backdoored|malware|zero|ransomware|compromised|outage
    sicherheitslucke|sicherheitslucken|schwachstelle|vulnerabilidad|vulnerabilita|faille|failles|kwetsbaarheid|beveiligingslek|уязвимость
    security incident|incidents|flaw|flaws|issue|issues|advisory|advisories|bug|bugs|hole|patch
    supply chain
    maintained|owned|made|developed|created|backed|sponsored|funded|invented|published|built|designed by
    maintainer*|inventor*|founder*
    who|which|what ~ maintains|owns|develops|created|backs|makes|invented|company|companies|organisation|organization|vendor
    company|firma|entreprise|empresa|azienda|bedrijf|unternehmen ~ behind|hinter|derriere|detras|dietro|achter|makes|owns
    founded|acquired|acquisition|acquire|bought|sued|lawsuit|price|pricing|prices|costs|market|popularity|popular|revenue|stock|ipo|employees
    how much ~ cost|costs|charge
    wann ~ veroffentlicht|erschienen|gegrundet|released
    quand ~ sorti|sortie|publie|publiee|cree
    cuando ~ lanzo|publico|salio|creo
    quando ~ uscito|uscita|rilasciato|lancado|lancada|lancou|criado
    wanneer ~ uitgebracht|uitgekomen|verschenen|opgericht
    когда ~ вышел|вышла|выпущен|выпущена|создан
    when ~ came|come|released|created|invented|introduced|start|started|launched|first|begin
    gehort|gehoert|appartient|pertenece|appartiene|pertence zu|zum|a|al
    year ~ created|released|invented|first|introduced
    invented|erfunden|invente|inventado|inventato|uitgevonden
    history|geschichte|histoire|historia|storia|geschiedenis of|von|de|di|der|van
    benchmarks|benchmark
    """
)
# Ways to ask for facts that no single word gives away.
FACT_PHRASES = Phrases(
    """
    what|whats happened|happening|new|going
    how|hw many|much|far|long|tall|high|deep|big|large|old|fast|heavy|hot|cold|often|likely ~ ^?
    in which|what year|century|country|city|state|month
    which|what year|country|city|state|company|team|language|planet|animal|river|war|book|movie|film|song|band|brand|hospital|bank|airline|university
    when|where was|were|is|did|does|do|will
    is it true|legal|safe|illegal|dangerous|healthy|allowed
    is|are ~ safe|legal|illegal|dangerous|toxic|real|true|bankrupt|healthy|extinct|poisonous|open|contagious|hereditary
    side effects
    tallest|largest|biggest|highest|longest|deepest|oldest|richest|smallest|heaviest|hottest|coldest|busiest|deadliest|strongest
    best|most selling|famous|popular|expensive|populated|populous|visited
    in the|this world|universe|history|news|country|us|uk|eu
    der|das|die hochste|grosste|langste|alteste|tiefste|reichste|kleinste|teuerste
    plus|mas|piu|mais grand|grande|haut|alto|alta|long|largo|lungo|longo|vieux|antiguo|antico|antigo|riche|rico|ricco|profond
    hoogste|grootste|langste|oudste|diepste|rijkste
    самый|самая|самое|самые
    stock|share price
    world cup|war|record|bank|series
    fun|interesting fact|facts
    facts about
    according to experts|science|studies|research|scientists|history
    can|should|may i|you|one|we|kids|dogs|cats|children|people ~ eat|drink|take|sue|deduct|travel|enter|import|mix
    dangerous|legal|illegal|safe|healthy to|for
    tax rate|return|deduction
    opening hours|times
    current|currently|latest|recent|recently|nowadays|yesterday|tonight|breaking
    as of 2020|2021|2022|2023|2024|2025|2026
    wie viele|viel|hoch|weit|lang|gross|schnell|teuer|tief|schwer
    wann|wo ist|sind|war|waren|wurde|liegt|findet|begann|endete|fand|hat|lief
    stimmt es
    was geschah|passierte|kostet|verdient
    darf|muss|kann man|ich
    aktuell|aktuelle|aktuellen|heute|gestern|derzeit|neueste|neuesten
    combien de|coute|d|y|y
    quand|ou est|sont|etait|a|ont|fut|se
    quelle|quel est la|le|l
    actuel|actuelle|actuellement|recent|recente|recemment|hier|dernieres|derniers
    cuanto|cuanta|cuantos|cuantas
    donde|cuando esta|es|fue|se|queda|empezo|termino
    cual es|fue|era la|el
    actual|actualmente|reciente|ayer|ultimas|ultimos
    quanto|quanta|quanti|quante|quantos|quantas
    dove|quando e|si|fu|sono|inizio|fini
    qual e la|il|l|a|o
    attuale|attualmente|recente|ieri|ultime|ultimi
    onde|quando fica|e|foi|esta|comecou|terminou
    atual|atualmente|ontem|ultimas
    hoeveel|hoe hoog|ver|lang|groot|snel|duur|diep
    wanneer|waar is|was|werd|ligt|begon|eindigde
    huidige|actuele|gisteren|laatste
    сколько
    где|когда находится|был|была|началась|закончилась|состоится|произошла
    какая|какой|какое столица|река|население|гора|страна|город|погода
    """
)
UNSPACED_FACTS = (
    "首都", "人口", "价格", "價格", "天气", "天氣", "新闻", "新聞", "公司", "历史", "歷史", "法律", "战争", "戰爭", "股价", "股價", "国家", "國家", "总部", "成立", "哪年", "哪一年", "世界杯", "奥运", "症状", "疫苗",
    "いつ", "どこ", "株価", "ニュース", "会社", "法律", "戦争", "値段", "天気", "本社", "設立", "世界一", "一番高い",
    "수도", "인구", "가격", "날씨", "뉴스", "회사", "역사",
)  # fmt: skip
# A text of this kind states facts, unless it is about the user's own affairs.
FACT_GENRES = listed(
    "essay essays article articles report reports overview timeline chronology summary summaries profile encyclopedia encyclopaedia entry factsheet sheet briefing review history documentary wikipedia analysis dossier paper thesis "
    "post blog blogpost presentation speech lecture quiz trivia table list comparison news obituary story caption docstring comment readme description introduction intro abstract paragraph sentence sentences bullet bullets lines words "
    "aufsatz artikel bericht uberblick zusammenfassung zeitleiste steckbrief referat tabelle liste beitrag vortrag absatz kommentar dissertation article rapport apercu resume expose dissertation tableau liste paragraphe commentaire "
    "ensayo articulo informe resumen tabla lista parrafo comentario saggio articolo relazione riassunto tabella elenco paragrafo commento tema ensaio artigo relatorio resumo tabela redacao texto comentario "
    "opstel artikel verslag overzicht samenvatting tabel lijst werkstuk alinea статью статья реферат доклад эссе обзор список таблицу"
)
ABOUT_THE_WORLD = Phrases(
    """
    about|on|of|regarding|over|concerning|comparing|explaining|describing|covering|with|listing|uber|zu|zum|zur|von|der|des|sur|de|du|des|sobre|del|su|sul|sulla|di|della|do|da|dos|over|van|о|об|про
    """
)
# Where things are. A question that names one has an answer on a map or in a register.
PLACES = listed(
    """
    afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahrain bangladesh belarus belgium bolivia bosnia botswana brazil bulgaria burma cambodia cameroon canada chile china colombia congo croatia
    cuba cyprus czechia denmark ecuador egypt england estonia ethiopia europe finland france germany ghana greece greenland guatemala haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan kazakhstan
    kenya korea kosovo kuwait latvia lebanon libya liechtenstein lithuania luxembourg madagascar malaysia malta mexico moldova monaco mongolia morocco mozambique myanmar namibia nepal netherlands holland nigeria norway oman pakistan
    palestine panama paraguay peru philippines poland portugal qatar romania russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda
    ukraine uae usa uk uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe africa asia america antarctica britain eu
    amsterdam athens baghdad bangkok barcelona basel beijing belgrade berlin bern bogota boston bremen brisbane brussels bucharest budapest cairo chicago cologne copenhagen dallas delhi denver dresden dubai dublin dusseldorf edinburgh
    florence frankfurt geneva hamburg hanoi havana helsinki houston istanbul jakarta jerusalem johannesburg karachi kyiv kiev kyoto lagos leipzig lima lisbon london lyon madrid manchester manila marseille melbourne miami milan montreal
    moscow mumbai munich nairobi naples osaka oslo oxford paris prague pyongyang rio riyadh rome rotterdam salzburg seattle seoul shanghai sofia stockholm stuttgart sydney tehran tokyo toronto turin utrecht vancouver venice
    vienna vilnius warsaw washington wellington zagreb zurich manhattan brooklyn california texas florida alaska hawaii bavaria saxony tuscany sicily andalusia catalonia siberia crimea
    everest kilimanjaro matterhorn danube rhine amazon volga thames mediterranean atlantic pacific baltic sahara himalaya alps antarctic arctic eiffel colosseum kremlin louvre
    deutschland osterreich schweiz frankreich italien spanien portugal belgien niederlande polen ungarn russland griechenland turkei china japan indien agypten brasilien kanada mexiko schweden norwegen danemark finnland irland schottland
    europa afrika asien amerika munchen koln wien bayern sachsen rhein donau alpen zugspitze moskau rom paris prag warschau mailand venedig neapel bodensee
    allemagne autriche suisse espagne italie belgique angleterre pologne russie grece turquie chine japon inde egypte bresil canada mexique suede norvege danemark finlande irlande europe afrique asie amerique londres vienne rome moscou
    bruxelles geneve lisbonne bretagne provence corse
    alemania austria suiza francia italia belgica inglaterra polonia rusia grecia turquia japon egipto brasil canada suecia noruega dinamarca finlandia irlanda londres viena roma moscu lisboa paris sevilla cataluna andalucia
    germania svizzera spagna portogallo belgio inghilterra polonia russia grecia turchia cina giappone egitto brasile svezia norvegia danimarca irlanda londra parigi roma milano torino napoli venezia firenze berlino mosca vienna sicilia toscana
    alemanha suica franca espanha italia inglaterra polonia russia grecia turquia japao egito suecia noruega dinamarca irlanda londres viena roma moscou lisboa porto acores madeira
    duitsland oostenrijk zwitserland frankrijk spanje italie belgie engeland polen rusland griekenland turkije egypte brazilie zweden noorwegen denemarken ierland londen parijs brussel wenen berlijn antwerpen
    россия россии германия германии франция франции италия италии испания испании китай китая япония японии сша украина украины москва москвы париж берлин лондон европа европы бразилия австралия австралии
    """
)
# Firms, institutions and products by name; those that are tools of programmers are left out, and asked about by RELEASE_FACTS.
COMPANIES = listed(
    """
    adidas airbnb airbus aldi alibaba allianz amd anthropic asml astrazeneca audi barclays basf bayer berkshire biontech blackrock bmw boeing bosch bp burberry cisco citigroup coca commerzbank daimler danone dell
    deloitte disney dyson ebay enron ericsson exxon facebook ferrari fifa ford gazprom gm gucci hsbc huawei hyundai ibm ikea infineon instagram intel jpmorgan kpmg lamborghini lego lenovo linkedin lockheed lufthansa lvmh maersk mastercard mcdonald
    mcdonalds mckinsey mercedes merck metallica michelin microsoft nestle netflix nike nintendo nissan nokia novartis nvidia oecd openai opec palantir panasonic paypal pepsi peugeot pfizer philips pixar porsche
    qualcomm reddit renault revolut roche rolex rwe ryanair samsung sanofi sap shopify siemens snapchat sony spacex spotify starbucks stellantis stripe telekom telefonica tencent tesla theranos thyssenkrupp tiktok toyota
    tsmc tui tumblr twitter uefa unesco unicef unilever vodafone volkswagen volvo vw walmart whatsapp wirecard xiaomi yahoo zalando zara nato wto imf ecb nasa esa fda ema iphone ipad macbook playstation xbox
    kindle alexa chatgpt gpt gemini copilot deepseek mistral bundesbank ezb eon enel eni danske heineken asos bytedance google github gitlab alphabet wikipedia greenpeace
    газпром яндекс сбербанк тесла
    """
)
CURRENCIES = listed(
    "usd eur gbp chf jpy inr cny dollar dollars euro euros yen rupee rupees franc francs francos dolar dolares bitcoin bitcoins ethereum peso pesos yuan ruble rubles доллар долларов евро рублей"
)
# Facts that stand in tables of physics and geography, also where a program asks for them.
CONSTANTS = Phrases(
    """
    speed|velocity of light|sound
    boiling|melting|freezing point
    atomic number|mass|weight
    year|date|city|country|day|time the|that|of|when|in|where ~ was|were|signed|ended|began|fell|died|happened|next|last|first|full
    plot|ending|symbolism|moral of|in
    gravitational|planck|avogadro constant|s
    distance to|from|between ~ moon|sun|earth|mars|stars
    tallest|largest|biggest|highest|longest|deepest|oldest|richest mountain|mountains|city|cities|country|countries|river|rivers|building|buildings|lake|lakes|company|companies|people|person|animal|tree
    countries|states|cities|rivers that|which|of|in|bordering
    lichtgeschwindigkeit|schmelzpunkt|siedepunkt
    vitesse de la lumiere
    """
)
