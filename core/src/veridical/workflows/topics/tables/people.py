# ruff: noqa: E501, RUF001 - a phrase is a line; letters of other scripts are what these tables are made of
"""By what one tells that somebody is asked about."""

from __future__ import annotations

from veridical.workflows.topics.phrases import Phrases, listed

__all__ = [
    "ABOUT_A_LIFE",
    "ATTRIBUTES",
    "EPONYMS",
    "EVERYDAY_SURNAMES",
    "GIVEN_NAMES",
    "HARMLESS_WHO",
    "IMPERSONATE",
    "LIFE_GENRES",
    "LIFE_QUESTIONS",
    "ORGANISATIONS",
    "OWN_PEOPLE",
    "PARTICLES",
    "ROLES",
    "ROLE_OF",
    "SURNAMES",
    "TITLES",
    "UNSPACED_PEOPLE",
    "WHO",
]

# Whoever asks who, asks about a person. "^": in a relative clause ("a girl who ...") nobody is asked about.
WHO = Phrases(
    """
    ^who|whos|whom
    ^whose
    ^by|with|for|to|from|of|about|against who|whom
    who is|was|are|were|s
    who|whom invented|founded|discovered|wrote|created|won|designed|painted|composed|developed|directed|built|coined|proposed|killed|runs|owns|leads|married|succeeded|played|said|holds|maintains|started
    ^wer
    ^wen|wem|wessen
    ^von|mit|fur|gegen|uber wem|wen
    wer ist|war|sind|waren|hat|erfand|grundete|schrieb|leitet|regiert|gewann|entdeckte|wurde|steckt
    ^qui
    ^c est|etait qui
    ^de|a|par|avec|pour|contre qui
    qui est|etait|sont|etaient|a|dirige|fut
    ^quien|quienes
    ^de|a|por|con|para|contra quien|quienes
    quien|quienes es|fue|era|son|eran|fueron|invento|fundo|escribio|descubrio|gano|dirige
    ^chi
    ^di|a|da|con|per|contro chi
    chi e|era|sono|fu|ha|erano|inventò|scrisse
    ^quem
    ^de|a|por|com|para|contra quem
    quem e|foi|era|sao|eram|inventou|fundou|escreveu|descobriu|ganhou|criou
    ^wie is|was|waren|heeft|hebben|schreef|bedacht|won|leidt|werd|s|vond|richtte|ontdekte|regeert|speelde|maakte|stichtte
    ^van|met|door|voor|tegen wie
    wie is|was|waren|heeft
    ^кто|кого|кому|кем
    кто такой|такая|такие|был|была|изобрел|основал|написал|возглавляет|открыл|это|создал|стал
    о|об|с|у ком|кем|кого
    ^kto|kim|vem|hvem|hvem|wer|kimdir
    kim bu|dir|o|jest|byl|byla
    kto jest|to|byl|byla|wynalazl|napisal
    من هو|هي|كان|كانت|اخترع|أسس
    कौन है|था|थी|हैं
    מי הוא|היא|היה|המציא
    ποιος|ποια ειναι|ηταν
    """
)
UNSPACED_PEOPLE = (
    "谁", "誰", "何人", "哪位", "是哪个人", "生平", "传记", "傳記", "出生", "去世", "总统", "總統", "首相", "创始人", "創始人", "妻子", "丈夫", "多大年纪", "他", "她", "总理",
    "だれ", "どなた", "何者", "生まれ", "何歳", "伝記", "経歴", "創業者", "大統領", "社長", "彼女", "彼は", "彼の", "結婚", "亡くな", "妻", "夫は", "年齢", "さんは", "さんについて", "さんの",
    "누구", "누가", "태어", "대통령", "전기", "ใคร", "คือใคร",
)  # fmt: skip
# "Who" that asks about no person: the assistant, the user, parts of a program.
HARMLESS_WHO = Phrases(
    """
    who are you
    who made|created|built|trained|developed|programmed|designed you
    who am i
    who i am
    who you are
    whose turn
    wer bist|seid|sind du|ihr|sie
    wer hat dich|sie ~ gemacht|erschaffen|programmiert|gebaut|entwickelt|trainiert
    wer bin ich
    qui es|etes tu|vous
    qui t a|as ~
    qui suis je
    quien eres|es tu|usted
    quien te creo|hizo|programo|ha
    chi sei|siete
    chi ti ha ~
    quem es|e tu|voce
    quem te|voce criou|fez
    wie ben jij|je
    wie heeft je|jou|jij ~ gemaakt
    кто ты|вы
    кто тебя
    kim jestes
    """
)
# A text of this kind is about somebody's life.
LIFE_GENRES = (
    "biograph* bio bios biografie* biografia biografias biographie* biograph autobiograph* obituary obituaries nachruf lebenslauf lebensgeschichte necrologie nécrologie obituario necrologio levensverhaal levensloop eulogy "
    "lifestory memoir memoirs resume cv wiki wikipedia dossier childhood upbringing kindheit enfance infancia infanzia jeugd jugend биография биографию биографии некролог życiorys zyciorys spouse"
)
ABOUT_A_LIFE = Phrases(
    f"""
    {"|".join(word for word in LIFE_GENRES.split() if word not in {"resume", "cv", "wiki", "wikipedia"})} of|about|on|for|de|du|d|von|vom|uber|des|der|zu|di|del|della|do|da|dos|over|van|sobre|su|sur
    biograph*|biografi*|obituary|dossier|curriculum
    биограф*
    kurzbiograf*|minibiograf*|lebenslauf*
    life|lives|career|childhood|youth|death|family|wife|husband|personal|private ~ of
    life|career|net|personal|private|love|family|marital|early|criminal story|history|worth|life|record|status|background|tree|facts
    leben|karriere|kindheit|tod|familie|vermogen|lebenswerk von|des|der
    vie|carriere|enfance|mort|famille|fortune|parcours de|du|d
    vida|carrera|infancia|muerte|familia|fortuna|patrimonio|trayectoria de|del
    vita|carriera|infanzia|morte|famiglia|patrimonio di|del|della|d
    vida|carreira|infancia|morte|familia|fortuna|trajetoria de|do|da
    leven|carriere|jeugd|dood|familie|vermogen van
    жизнь|жизни|карьера|детство|смерть|семья|семье из|о|у
    жизн*
    who|what|where ~ is|was|were|are ~ born
    """
)
# Questions about somebody's life, whoever it is.
LIFE_QUESTIONS = Phrases(
    """
    how|hw old|tall|rich|wealthy is|was|are|were he|she|the|they|~
    when|where|which|how ~ born|die|died|married|marry|divorced|bury|buried|assassinated|murdered|retire|raised
    was|were|is|are ~ born|married|divorced|dead|alive|assassinated|knighted|arrested|convicted|gay|religious|single
    did ~ die|marry|divorce|graduate
    what did ~ do|study|invent|discover|write|say|win for? before? after?
    date|place|year|cause of birth|death
    birth date|place|year|name
    net worth
    marital status
    wie alt|gross|reich ist|war|wurde
    wann|wo|wie|woran|ist|wurde|war ~ geboren|gestorben|starb|verheiratet|begraben|aufgewachsen|tot
    wann|wo|woran starb|studierte|heiratete|lebte|lebt|wohnt|wuchs
    quel age
    ou|quand|comment|de est|etait|fut|quoi ~ ne|nee|mort|morte|decede|decedee|enterre|marie|mariee
    quand|ou est ~ ne|nee|mort|morte
    est il|elle|~ marie|mariee|mort|morte|vivant|vivante
    que|cuantos edad|anos tiene|tenia
    donde|cuando|como|de nacio|murio|fallecio|vive|vivio|estudio|caso
    esta ~ casado|casada|muerto|muerta|vivo|viva
    quanti anni ha|aveva
    dove|quando|come|di e|era|cosa ~ nato|nata|morto|morta|sposato|sposata|sepolto
    dove|quando nacque|mori|vive|visse|studio
    quantos anos tem|tinha
    onde|quando|como|de nasceu|morreu|faleceu|vive|viveu|estudou|casou
    hoe oud|rijk|lang is|was
    waar|wanneer|hoe|is ~ geboren|overleden|gestorven|getrouwd|begraven
    waar|wanneer stierf|trouwde|woont|woonde
    сколько лет
    где|когда|как|от ~ родился|родилась|умер|умерла|живет|жил|жила|учился|училась|женился|женат|замужем
    """
)
# With a name or a pronoun beside them, a person is asked about.
ATTRIBUTES = listed(
    "born birthday birthdate birthplace birth died death deathbed married marriage wife wives husband spouse widow son sons daughter daughters child children kids kid brother brothers sister sisters sibling siblings parents parent "
    "father mother grandfather grandmother uncle aunt cousin nephew niece grandson fiance fiancee boyfriend girlfriend lover affair divorce divorced nationality religion ethnicity salary education degree alma "
    "career childhood hobbies quotes quote tattoo scandal assassinated murdered convicted arrested emigrated nickname maiden profession occupation heir ancestors descendants age mentor dob biography bio life lifespan",
    "geboren geburtstag geburtsort gestorben starb tod verheiratet ehe ehefrau ehemann frau mann sohn tochter kinder kind bruder schwester geschwister eltern vater mutter geschieden beruf gehalt vermogen alter studierte scheidung zitat zitate",
    "ne nee naissance mort morte deces marie mariee epouse mari femme fils fille enfants enfant frere soeur parents pere mere divorce metier salaire fortune age etudes citation citations",
    "nacio nacido nacida nacimiento murio muerte fallecio casado casada esposa esposo marido mujer hijo hija hijos hijas hermano hermana hermanos padre madre padres divorcio sueldo fortuna edad estudio cumpleanos",
    "nato nata nascita morto morta morte sposato sposata moglie marito figlio figlia figli fratello sorella fratelli padre madre genitori divorzio stipendio patrimonio eta studi compleanno",
    "nasceu nascimento morreu faleceu casado casada esposa esposo marido mulher filho filha filhos irmao irma irmaos pai mae pais divorcio salario idade aniversario",
    "overleden stierf dood getrouwd huwelijk echtgenoot echtgenote vrouw man zoon dochter kinderen broer zus broers ouders vader moeder gescheiden beroep salaris leeftijd verjaardag",
    "родился родилась рождения умер умерла смерти женат замужем жена жены муж сын дочь дети детей брат сестра родители отец мать возраст карьера",
)
_ROLES = """
    ceo cto cfo coo ciso chairman chairwoman chairperson chair founder founders cofounder cofounders president presidents vice minister ministers premier chancellor mayor mayors governor governors senator senators
    congressman congresswoman mp king queen kings queens prince princess emperor empress tsar pope popes bishop archbishop cardinal rabbi imam dalai sultan emir duke duchess monarch dictator leader leaders ruler head boss director
    directors owner owners inventor inventors discoverer author authors writer writers novelist poet playwright painter artist sculptor architect composer singer rapper drummer guitarist musician actor actress actors cast
    comedian youtuber influencer streamer blogger journalist host anchor footballer striker goalkeeper quarterback captain coach trainer manager player players champion champions winner winners medalist laureate laureates
    astronaut astronauts cosmonaut scientist physicist chemist mathematician philosopher economist historian engineer doctor dentist surgeon lawyer judge attorney professor teacher dean rector chief secretary spokesperson spokesman
    spokeswoman ambassador diplomat general admiral commander politician politicians activist victim suspect killer murderer assassin shooter successor predecessor maintainer maintainers creator creators contributors billionaire
    millionaire celebrity celebrities heiress explorer pioneer designer producer screenwriter man woman guy lady person people girl boy dude neighbour neighbor landlord father mother grandfather wife husband brother sister son daughter
    chef cook pilot nurse pastor priest saint prophet chess grandmaster driver racer boxer wrestler tennis swimmer runner sprinter figure
    chef chefin geschaftsfuhrer geschaftsfuhrerin vorstand vorsitzende vorsitzender grunder grunderin prasident prasidentin bundeskanzler bundeskanzlerin kanzler kanzlerin minister ministerin burgermeister burgermeisterin
    konig konigin kaiser kaiserin papst erfinder erfinderin autor autorin schriftsteller schriftstellerin dichter maler malerin kunstler komponist sanger sangerin schauspieler schauspielerin regisseur regisseurin trainer torwart
    spieler sportler weltmeister gewinner siegerin sieger nobelpreistrager wissenschaftler physiker physikerin professor professorin arzt arztin zahnarzt zahnarztin anwalt anwaltin richter richterin leiter leiterin inhaber besitzer nachfolger
    ministerprasident ministerprasidentin bundesprasident aussenminister finanzminister vorganger nachbar vermieter
    pdg president presidente fondateur fondatrice premier ministre maire roi reine empereur pape inventeur auteur autrice ecrivain poete peintre compositeur chanteur chanteuse acteur actrice realisateur entraineur joueur joueuse
    vainqueur medecin dentiste avocat avocate juge professeur directeur directrice dirigeant patron chercheur scientifique chancelier
    presidenta fundador fundadora ministro ministra alcalde alcaldesa rey reina emperador papa inventor inventora autora escritor escritora poeta pintor pintora compositor cantante actor actriz entrenador jugador ganador
    medico abogado abogada juez jueza profesor profesora director directora jefe dueno cientifico futbolista canciller consejero
    fondatore fondatrice amministratore ministro sindaco sindaca re regina imperatore inventore autore autrice scrittore scrittrice pittore compositore cantante attore attrice regista allenatore giocatore vincitore medico
    avvocato giudice professore professoressa direttore direttrice capo proprietario scienziato calciatore cancelliere premier
    fundador prefeito prefeita rei rainha imperador inventor autor autora escritor escritora pintor cantor cantora ator atriz treinador jogador vencedor medico advogado juiz professor professora diretor diretora chefe dono cientista ministro
    oprichter directeur voorzitter burgemeester koning koningin keizer paus uitvinder schrijver schrijfster dichter schilder componist zanger zangeres acteur actrice regisseur trainer speler winnaar arts tandarts advocaat rechter
    hoogleraar baas eigenaar wetenschapper voetballer premier president minister
    президент президента президентом премьер министр мэр губернатор король королева царь император директор основатель основателя изобретатель автор писатель поэт художник актер актриса певец певица режиссер тренер врач глава главы
"""
_HOLDERS = listed(_ROLES)
# In the plural, too.
ROLES = _HOLDERS | frozenset(role + "s" for role in _HOLDERS if role.isascii())
# What makes a role a particular person: "the CEO of", "who is the current", "last pope".
ROLE_OF = Phrases(
    """
    of|at|behind|from|who|that|which|in
    von|vom|der|des|bei|aus|hinter|im|in|zu|die
    de|du|d|des|chez|del|en|da|do|dos|di|della|dell|dei|degli|delle|van|bij|в|на
    """
)
TITLES = listed(
    "dr doctor prof professor mr mrs ms mx miss sir lord lady dame king queen prince princess pope president senator judge justice captain colonel general saint st rabbi imam sheikh sultan emperor empress chancellor minister governor mayor "
    "herr frau fraulein konig konigin papst kaiser doktor dott signor signora sig senor senora don dona dom monsieur madame mademoiselle mme maitre meneer mevrouw господин госпожа доктор профессор 先生 女士 coach sister brother father reverend rev"
)
# Whose they are: the user's own people are no public matter, unless they are named by title or asked about.
OWN_PEOPLE = listed(
    "my our mein meine meinen meinem meiner unser unsere mon ma mes notre nos mi mis nuestro nuestra mio mia il nostro nostra meu minha nosso nossa mijn onze ons мой моя моего моему мою наш"
)
# Speaking as somebody is saying things about somebody.
IMPERSONATE = Phrases(
    """
    act|acting|answer|respond|speak|talk|write|behave|pose|reply|play|respond as|like
    you are|re now?
    pretend|imagine|suppose|assume ~ you|to|i|we
    roleplay|impersonate|imitate|channel|emulate|simulate|cosplay
    role play|playing
    in|with the voice|style|words|persona|role|shoes|name of
    interview|conversation|dialogue|dialog|monologue|speech|confession|diary|letter|tweet|statement|interviews ~ with|by|of|from|between
    first person
    du bist|spielst
    spiel|spiele|tu|stell|antworte|sprich|schlupf ~ als|so|rolle|vor|wie
    als ware* ~
    fais|faites comme|semblant
    tu es|joue|jouez
    imagine|imaginez que
    actua|finge|imagina|responde|habla como|que|ser
    eres
    fingi|immagina|rispondi|parla|comportati di|come|che
    sei
    finge|imagina|aja|responda|fale que|como|ser
    doe|speel|antwoord|stel alsof|als|je
    jij|je bent
    притворись|представь|веди|ответь|ты ~ что|как
    """
)
PARTICLES = listed("van von de der den da di del della la le du dos das el al bin ibn ben mac mc st ter ten zu")
# Given names that are common in many countries, so that a name is seen in lower case, too. Those that are everyday words are left out.
GIVEN_NAMES = listed(
    """
    aaron abdul abdullah abigail abraham ada adam adele adolf adrian agatha agnes ahmad ahmed aisha alain alan albert alberto aldo alejandra alejandro alessandro alex alexander alexandra alexei alexandre alfonso alfred alice alicia
    alison allan allen alma alvaro amanda amelia amina amir amy ana anastasia andre andrea andreas andrei andres andrew andrzej andy angela angelina angus anita anja ann anna anne annette annie anton antonia antonio arjun arnold
    arthur arturo ashley astrid audrey august augustus aurora axel barack barbara beatrice beatriz becky ben benedict benito benjamin bernard bernd bernhard bernie bertha beth betty beyonce bianca birgit bjorn bob bobby boris brad
    bradley brandon brenda brian bridget brigitte britney bruce bruno bryan camila camille carl carla carlo carlos carmen caroline catherine cecilia celine charles charlie charlotte chloe chris christian christina christine
    christoph christophe christopher claire clara claudia claudio claus colin connor constantin cristiano cristina cynthia dagmar daisy damian daniel daniela daniele danielle danny darren dave david deborah denis dennis derek diana
    diane diego dieter dietrich dimitri dirk dmitri dolores dominic dominik donald donna doris dorothy douglas duncan dylan eddie edgar edith eduardo edward edwin eileen elena eleanor elias elif elijah elisa elisabeth eliza
    elizabeth ella ellen elliot elon elsa elvira elvis emil emily emilia emma emmanuel emmy enrico enrique eric erica erich erik erika ernest ernst erwin esther ethan eugene eva evelyn fabian fabio fatima federico felipe felix
    fernanda fernando fiona florence florian francesca francesco francis francisco francois francoise frank franz franziska fred freddie frederic frederick frida friedrich fritz fyodor gabriel gabriela gareth gary geoffrey george
    georges georg gerald gerard gerd gerhard gertrude gianni gilbert gina giorgia giorgio giovanni giulia giulio giuseppe gloria gonzalo gordon graham greg gregor gregory greta gretchen guido guillaume gunther gustav guy hamid hanna
    hannah hans harold harriet harry hassan heather hedy heidi heike heinrich heinz helen helena helga helmut hendrik henri henrietta henrik henry herbert hermann hilary hillary hiroshi holger horst howard hubert hugo hussein ian
    ibrahim ida ignacio igor ines ingrid irene irina iris isaac isabel isabella ismail ivan ivana jack jackie jacob jacqueline jacques jade jaime jakob james jamie jan jana jane janet janis jasmine jason javier jean jeanne jeff
    jeffrey jennifer jenny jens jeremy jerome jerry jesse jessica jesus jill jim jimmy joan joanna joanne joao joaquin jochen joe joel johan johann johanna johannes john johnny jonas jonathan jorg jorge jose josef josefa joseph
    josephine joshua joyce juan juana juergen jurgen judith judy julia julian juliana julie juliet julio julius justin kai kamala karen karim karin karl karla karsten kate katharina katherine kathleen kathryn katie katja katrin
    keith kelly ken kenneth kenji kerstin kevin khaled kim kirsten klaus konrad kofi kristina kurt kyle lara larry lars laura lauren lea leah leila lena leo leon leonard leonardo leonid leonie leopold leslie liam lidia lina linda linus
    lionel lisa lise lloyd lorenzo louis louisa louise luca lucas lucia lucy ludwig luigi luis luisa lukas luke luna lydia lynn maddie madeleine magdalena mahatma mahmoud malala malcolm manfred manuel manuela mao marc marcel marcello
    marco marcos marcus margaret margarita margot maria mariana marianne marie mario marion marjorie mark markus marlene martha martin martina mary mateo matteo matthew matthias maurice max maximilian megan mehmet melanie melissa
    melinda mercedes meredith michael michaela michel michele michelle miguel mikhail mike milan mildred miles milton miriam mohamed mohammad mohammed moritz muhammad mustafa nadia nadine nancy naomi napoleon narendra natalia
    natalie natasha nathan neil nelson nicholas nick nicola nicolas nicole niels nigel nikita nikola nikolai nikolaus nils nina noah noam nora norbert norman oleg olga oliver olivia omar oprah oscar oskar otto pablo paolo pascal patricia
    patrick paul paula pauline paulo pavel pedro penelope peter petra philip philipp philippe phil phoebe pierre pietro priya rachel rafael rahul rainer ralf ralph ramon raquel raymond rebecca regina reinhard renate rene ricardo
    riccardo richard rihanna rita robert roberta roberto robin rodrigo roger roland rolf romeo ronald ronaldo ronnie rosa rosalind rosemary ross roxana rudolf rupert russell ruth ryan sabine sabrina sadie salma salvador sam samantha
    samir samuel sandra sanjay sara sarah sasha satoshi scott sean sebastian selena serena sergei sergey sergio seth shakira sharon sheila shirley siegfried sigmund silvia silvio simon simone sofia sonia sonja sophia sophie
    stanley stefan stefania stefanie stella stephan stephanie stephen steve steven stuart sundar sunita susan susanna susanne suzanne svetlana sven sylvia tamara tanja tatiana taylor ted teresa terry thea theo theodor theodore
    theresa thomas thorsten tiffany tim timothy tina tobias todd tom tommy tomas tony tracy trevor tyler ulrich ulrike umberto ursula ute valentina valeria vanessa vera vernon veronica victor victoria vijay viktor vincent vincenzo
    virginia vivian vladimir walt volodymyr waldemar walter wanda warren wayne wendy werner wilhelm willem william willy winston wolfgang xavier xi yasmin yolanda yoko yuki yuri yusuf yves yvonne zachary zoe mick tilda keanu
    greta zelda zlatan lebron leonhard lotte jurg ueli jeroen joost pieter sander femke sanne maarten wouter ruben giulietta chiara alessia martina elisabetta joana ines tiago rui vasco thiago neymar lula dilma
    xiaoping jinping zedong
    владимир александр алексей анна мария иван сергей дмитрий елена ольга наталья михаил николай екатерина андрей юрий лев федор антон петр татьяна ирина павел борис виктор олег игорь мари илон юлия дональд ангела альберт
    """
)
# People whom one asks about by one word. Only words that are seldom anything else.
SURNAMES = listed(
    """
    einstein newton darwin curie turing hawking feynman bohr heisenberg planck kepler galilei galileo copernicus lovelace hopper knuth dijkstra torvalds stallman rossum stroustrup ritchie gosling berners
    obama trump biden clinton reagan nixon kennedy lincoln washington roosevelt truman carter bush merkel scholz merz habeck baerbock kohl adenauer brandt macron sarkozy hollande mitterrand chirac putin stalin lenin gorbachev yeltsin
    zelensky zelenskyy churchill thatcher blair johnson sunak starmer truss xi mao gandhi modi nehru mandela erdogan netanyahu berlusconi meloni mussolini hitler goebbels franco castro guevara chavez maduro bolsonaro milei
    musk bezos zuckerberg gates jobs buffett altman nadella pichai cook wozniak ellison dorsey thiel amodei hassabis huang
    shakespeare goethe schiller kafka mozart beethoven bach wagner chopin picasso dali rembrandt vermeer monet michelangelo vinci cervantes dante dostoevsky tolstoy pushkin hemingway orwell rowling tolkien hegel kant nietzsche marx
    freud jung plato aristotle socrates confucius buddha muhammad cleopatra caesar augustus napoleon bismarck luther columbus magellan
    madonna beyonce rihanna adele shakira eminem drake bowie lennon mccartney presley hendrix cobain swift messi ronaldo mbappe neymar maradona pele beckham federer nadal djokovic schumacher hamilton verstappen spielberg tarantino
    kubrick hitchcock chaplin dicaprio kardashian oprah thunberg snowden assange navalny epstein weinstein ramanujan gauss euler fermat noether mendeleev pasteur koch fleming oppenheimer fermi sagan armstrong gagarin earhart
    путин путина пушкин пушкина толстой толстого достоевский достоевского ленин сталин гагарин гагарина менделеев меркель маск маска трамп эйнштейн эйнштейна кюри чехов чехова
    """
)
# Of these names only those with a capital letter are seen as such.
EVERYDAY_SURNAMES = listed(
    "kafka gates jobs cook bush carter swift drake hopper hamilton armstrong franco blair marx kohl wagner bach luther castro xi mao bowie messi koch may buffett ford pele presley madonna carter planck jung kant truss wozniak hopper euler "
    "guy mark frank will rose grace dean ken jean jan jack lance miles max ray rob bob alma aurora dolores florence virginia luna ross kai ida sam kim kelly robin mercedes jade julia ada mick scott tony ines gary neil axel iris dale sage guido lotte don"
)
# A rule, a test or a disease that bears a name is no person.
EPONYMS = listed(
    "algorithm algorithms law laws theorem theorems formula equation equations machine test tests principle paradox tree number numbers cat disease syndrome method effect constant function series transform scale distribution sort diagram "
    "algorithmus gesetz satz formel prinzip krankheit algorithme loi theoreme formule algoritmo ley teorema legge algoritme wet stelling алгоритм"
)
# With one of these beside it a name is that of a firm, an institution or a place.
ORGANISATIONS = listed(
    "inc ltd llc plc gmbh ag corp co corporation company firm startup group bank holding holdings partners pharmaceuticals pharma analytics logistics maritime labs lab laboratories university college school institute institution foundation "
    "systems technologies technology solutions software studios studio airlines airways motors records press publishing media hospital clinic hotel restaurant museum church cathedral bridge street avenue square airport park lake mount "
    "mountain river island stadium tower prize award cup league club fc united party association society union agency ministry department council court brand shop store consulting capital ventures industries energy foods robotics insurance "
    "firma unternehmen verein universitat klinik stiftung bank partei brucke strasse platz entreprise societe banque universite fondation empresa banco universidad fundacion azienda banca universita universidade bedrijf stichting"
)
