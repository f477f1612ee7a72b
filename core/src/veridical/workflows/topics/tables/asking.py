# ruff: noqa: E501, RUF001 - a phrase is a line; letters of other scripts are what these tables are made of
"""How requests are worded: openers, verbs, what points back.

Case and accents do not matter here; they are folded away when the tables are read.
"""

from __future__ import annotations

from veridical.workflows.topics.phrases import Phrases, listed

__all__ = [
    "ANSWER_IT",
    "ASKED_FIELDS",
    "COMPLETES",
    "COORDINATORS",
    "FILLERS",
    "FOLLOWS",
    "FUNCTION_WORDS",
    "GERMAN",
    "INTRODUCERS",
    "NEGATIONS",
    "PERIODS",
    "PERSON_POINTERS",
    "PLAIN_QUESTIONS",
    "POINTERS",
    "QUESTION_WORDS",
    "RESTYLES",
    "TELLS",
    "UNSPACED_QUESTIONS",
]

# A word of these at the beginning of a clause makes it a question. Auxiliaries are among them: "is", "did", "hat".
QUESTION_WORDS = listed(
    "what whats which when where why how whose whom who whos is are was were do does did has have had can could will would should may might am isnt arent wasnt didnt doesnt",
    "was welche welcher welches welchen welchem wann wo woher wohin warum wieso weshalb wie wieviel wieviele wer wen wem wessen ist sind war waren hat haben hatte kann darf muss gibt wird wurde "
    "stimmt womit wodurch worum inwiefern seit",
    "que quoi quel quelle quels quelles quand pourquoi ou comment combien qui quest est sont etait ont lequel laquelle existe",
    "que quien quienes cual cuales cuando donde adonde por como cuanto cuanta cuantos cuantas son fue era tiene hay esta puede existe",
    "che cosa cos quale quali quando dove perche come quanto quanta quanti quante chi sono era ha hanno puo esiste",
    "quem qual quais onde aonde porque quantos quantas foi eram tem pode quanto quanta",
    "wat welk welke wanneer waar waarom hoe hoeveel wie wiens is zijn heeft hebben kan mag werd bestaat waarvan",
    "кто кого кому кем что чего когда где куда откуда почему зачем как какой какая какое какие каков сколько чей чья является правда ли",
    "kto kiedy gdzie dlaczego jak ile czy co jaki jaka jakie kim",
    "nerede nasil kac hangi vem vad nar hvem hvad hvor hvornar",
    "من ما ماذا متى اين لماذا كيف كم هل कौन क्या कब कहाँ क्यों कैसे कितना מי מה מתי איפה למה איך כמה ποιος ποια τι ποτε που γιατι πως ποσο",
)
# What asks in scripts without spaces; it may stand anywhere in the run.
UNSPACED_QUESTIONS = (
    "什么", "什麼", "为什么", "為什麼", "怎么", "怎麼", "怎样", "如何", "哪", "多少", "几", "幾", "何时", "何時", "吗", "嗎", "呢", "多大", "多高", "介绍", "介紹", "告诉我", "告訴我", "是不是",
    "何", "いつ", "どこ", "なぜ", "どう", "どの", "どれ", "いくら", "いくつ", "ですか", "ますか", "教えて", "について", "とは",
    "무엇", "언제", "어디", "왜", "어떻게", "얼마", "알려", "설명", "อะไร", "เมื่อไหร่", "ที่ไหน", "ทำไม", "อย่างไร",
)  # fmt: skip
# Verbs that ask for what somebody knows, where a clause begins.
TELLS = Phrases(
    """
    ^tell ~ about|on|whether|which|what|when|where|how|why|who|of|if|the|some|something|everything
    ^tell|inform|brief|enlighten me|us
    ^give|get|find|show|send|fetch me? us? ~ information|info|facts|details|overview|summary|list|history|background|name|names|number|date|dates|examples|news|update|statistics|stats|figures|timeline|rundown
    ^give|get|show|tell|bring me|us
    ^list|name|define|describe|compare|recommend|identify|enumerate|outline|discuss|mention|state|specify|research|investigate|google|search|lookup|recall|explain|predict|estimate|answer|respond|quote|cite|confirm|verify|elaborate|check|recite|remind
    ^look|search|find out|up|for|into
    ^find|show
    ^i|we want|need|d|would|wish|like|am|m|have ~ know|information|info|facts|details|learn|ask|understand|find|background|read|hear|biography
    ^i|we m|am|re|are|ve|have ~ looking|curious|interested|researching|wondering|searching|studying|asked
    ^i wonder|wondering
    ^what|how about
    ^let me know
    ^need|want info|information|facts|details|to
    ^any idea|news|update|updates|info|information|word|chance|clue
    ^do you know|remember|recall|happen
    ^know anything|something|about
    ^eli5
    ^info|information|facts|details|everything|trivia|news|history|latest ~ about|on|of|from|regarding
    ^erzahl|erzahle|sag|sage|nenn|nenne|erklar|erklare|beschreib|beschreibe|vergleich|vergleiche|empfiehl|zeig|zeige|gib|liste|definiere|such|suche|finde|recherchiere|beantworte|antworte|verrat|verrate|schildere|weisst|kennst|schatze
    ^ich mochte|will|wuerde|wurde|wusste ~ wissen|erfahren|gern
    ^was weisst
    ^dis|dites|parle|parlez|raconte|racontez|donne|donnez|explique|expliquez|decris|decrivez|compare|comparez|recommande|cite|citez|liste|listez|nomme|nommez|cherche|trouve|definis|connais|connaissez|sais|savez|presente|resume|reponds
    ^je voudrais|veux|aimerais|cherche|souhaite ~ savoir|connaitre|informations|infos
    ^peux|pouvez tu|vous ~ dire|parler|expliquer|donner|raconter
    ^dime|diga|digame|cuentame|cuenta|hablame|habla|explica|explicame|describe|compara|recomienda|nombra|enumera|dame|busca|define|sabes|conoces|necesito|quiero|quisiera|informame|responde|menciona|lista
    ^dimmi|dica|parlami|raccontami|racconta|spiega|spiegami|descrivi|confronta|consiglia|consigliami|elenca|dammi|cerca|definisci|sai|conosci|vorrei|voglio|nomina|rispondi|parla|informami
    ^diga|dize|conta|conte|fala|fale|explica|explique|descreve|descreva|compara|compare|recomenda|recomende|lista|liste|da|procura|procure|define|defina|sabes|sabe|conhece|conheces|quero|queria|gostaria|responde|responda|cita|cite
    ^vertel|zeg|noem|leg|beschrijf|vergelijk|geef|zoek|definieer|weet|ken|verklaar|antwoord|toon
    ^ik wil|zou ~ weten|graag
    ^расскажи|расскажите|скажи|скажите|назови|назовите|объясни|объясните|опиши|опишите|перечисли|сравни|посоветуй|найди|дай|ответь|знаешь|хочу|подскажи|подскажите
    ^powiedz|opowiedz|wymien|wyjasnij|podaj|opisz
    """
)
# A clause goes on after these as if it began there.
COORDINATORS = listed(
    "and then also but or so plus und dann aber oder auch sowie et puis mais ou aussi y luego pero tambien e poi ma anche mas depois tambem en daarna maar ook и а потом но также oraz after before afterwards while & because"
)
FILLERS = listed(
    "please kindly hi hello hey ok okay well so now just yes no sure thanks right actually maybe perhaps quick quickly question anyway first second secondly finally next lastly hmm um uh oh btw yo dear "
    "again still really once can could would will you pls plz can't someone anybody anyone today simply briefly shortly"
    "honestly seriously basically alright great cool good sir bro dude mate friend bot assistant ai chatgpt claude gemini alexa siri",
    "bitte kurz hallo nun also jetzt mal eigentlich danke gut kannst konnest konntest wurdest du sie mir uns doch denn schnell frage noch",
    "sil te vous plait stp svp bonjour salut alors maintenant bon merci d accord peux pouvez pourrais pourriez tu puis quand meme question",
    "por favor hola bueno pues ahora oye vale gracias puedes puede podrias podria me pregunta porfa",
    "per favore ciao bene allora adesso ora grazie puoi puo potresti mi domanda senti scusa",
    "por ola oi entao agora obrigado obrigada pode podes poderia voce me pergunta",
    "alsjeblieft hallo goed dus nu bedankt kun kunt kan je jij u me mij vraag even dan eens",
    "пожалуйста привет ну так теперь ладно спасибо можешь можете ты вы мне вопрос",
    "comment todo note q query prompt user system question1 answer frage pregunta task input text content role messages",
)
# What follows one of these is a clause of its own: "tell me who", "I wonder when", "sag mir, wann".
INTRODUCERS = listed(
    "know tell wonder wondering explain say ask asking asked guess remember recall me us out answer find check describe list write print state identify clarify determine reveal comment mention discuss remind output return "
    "wissen weiss weisst sag mir uns sagen erklar erzahl heraus nenn frage schreib schreibe dis moi savoir sais dire dites explique dime saber sabes decir decirme digame explica dimmi sapere sai dire spiega diga saber sabe dizer "
    "vertel weten weet zeg scribe расскажи скажи знаешь знать узнать"
)
# "Translate this and answer it" is a question again, whatever the first verb was.
ANSWER_IT = Phrases(
    """
    numbers|dates|figures|names|years are|is right|correct|true
    so that? it is|s right|correct|true
    fact|facts|factual|factually|truth|true|accurate|accuracy|verify|correctness
    answer|answers|answered|answering|respond|reply|solve
    beantwort*
    antworte|antwort|antworten
    reponds|repondre|reponse|repondez
    responde|responder|respuesta|contesta
    rispondi|rispondere|risposta|resposta|responda
    antwoord|beantwoord
    ответь|ответ|ответьте
    follow|execute|obey|do what|the|it ~ says|instruction|instructions|asks
    """
)
# What a gap is to be filled with is asked for.
COMPLETES = Phrases(
    """
    complete|completes|completing|fill|filling|finish|autocomplete|infill
    replace|supply|insert ~ brackets|blank|blanks|gap|gaps|right|correct|missing|placeholder|placeholders|underscores
    erganz*|vervollstandig*|ausfull*|luckentext
    full|fulle ~ aus
    complet*|remplis|remplissez|rellena|rellene|riempi|preencha|preenche|aanvul*|vul
    дополни|заполни|закончи|допиши
    """
)
# Whoever says "do not answer it" wants no answer.
NEGATIONS = listed("don dont not never without no t nicht ohne ne pas sans sin non senza nao sem niet zonder не без kein keine")
# Fields of data in which a question is put.
ASKED_FIELDS = listed(
    "q question query prompt ask user content input task frage pregunta domanda pergunta vraag вопрос text message instruction problem"
)
# "This year" is no work of the user's.
PERIODS = listed(
    "year month week season summer winter spring autumn morning evening afternoon weekend time century decade quarter jahr monat woche annee mois semaine ano mes semana anno mese settimana jaar maand week год месяц неделю"
)
# A question wherever it stands in a sentence.
PLAIN_QUESTIONS = Phrases(
    """
    how many|much|old|tall|far|big|high|rich
    what|which|when|where|who is|was|were|year|country|city|company|did|does
    wie viele|viel|alt|hoch|gross|weit
    combien de|d
    quel|quelle age|est|annee
    cuantos|cuantas|cuanto
    quanti|quante|quanto
    quantos|quantas
    hoeveel|hoe oud|hoog
    сколько
    """
)
# The newest prompt leans on the one before it.
FOLLOWS = Phrases(
    """
    ^and|but|so|or what|where|when|how|why|who|which|in|the|his|her|their|its|is|was|did|does|are|for|with|of|at
    ^what|how about
    ^why|how|when|where|who|since|until|really|which|whose not?
    ^more|continue|elaborate|further|another|others|else|again|same|next|expand
    ^anything|something|what|who|where|when else
    ^are|is you|that|this|it sure|true|correct|right
    ^und|aber|oder was|wer|wo|wann|wie|warum|sein|seine|seinen|seiner|ihr|ihre|ihren|ihrer|der|die|das|in|mit|bei|von|danach|davor|dort|jetzt|heute
    ^was|wie ist|war mit
    ^warum|wieso|wann|wo|seit|wirklich|mehr|weiter|genauer|ausserdem
    ^et|mais|ou qu|que|qui|ou|quand|comment|son|sa|ses|leur|leurs|le|la|les|en|pour|a|avec|au|aux|lui|elle
    ^pourquoi|quand|depuis|vraiment|encore|plus|continue|combien
    ^y|pero|o que|quien|donde|cuando|como|su|sus|el|la|los|las|en|con|por|ella|de
    ^desde|mas|continua|sigue|otro|otra
    ^e|ed|ma che|chi|dove|quando|come|suo|sua|suoi|sue|il|la|i|le|in|con|lui|lei|per|o|a|os|as|quem|onde|como|seu|em|no|na|ele|ela|qual|quale|quanti|quanto
    ^perche|ancora|continua|davvero|mais
    ^en|maar|of wat|wie|waar|wanneer|hoe|zijn|haar|hun|de|het|in|met|waarom
    ^waarom|meer|verder|echt|sinds
    ^а|и|но где|когда|как|кто|что|его|ее|их|в|на|она|он|почему|сколько|какой|какая
    ^почему|когда|где|еще|дальше|подробнее|правда
    """
)
# The same answer in another form: it is about what the conversation was about.
RESTYLES = Phrases(
    """
    ^are|is you|that|this|it really? sure|certain|true|correct|right|wrong|accurate
    ^really|seriously|source|sources|proof|evidence|references|citation|citations
    ^how|where do|did you know|get|find that|this|it
    ^make|keep|turn|put|write|rewrite|say|give|format|phrase|explain|tell|summarise|summarize|translate|repeat|rephrase|shorten|expand|simplify|present|show|list it|that|this|them|those|again|these|shorter|longer|simpler|your
    ^shorter|longer|simpler|briefer|bullet|bullets|in|as simpler|short|one|two|three|five|bullet|bullets|german|english|french|spanish|a|plain|detail|more|other|table|json|points|simple
    ^shorter|longer|simpler|briefer
    ^more|fewer|less detail|details|detailed|words|formal|concise|info|information|please|about|on
    ^continue|weiter|suite|continua
    ^kurzer|langer|einfacher|ausfuhrlicher|genauer|nochmal|mehr|weiter
    ^auf|in deutsch|englisch|franzosisch|stichpunkten
    ^plus court|long|simple|de
    ^mas corto|largo|detalles|simple
    ^piu breve|lungo|dettagli|semplice
    ^mais curto|longo|detalhes|simples
    ^korter|langer|eenvoudiger
    iets|etwas|bisschen|peu|poco|pouco|bit|little korter|langer|eenvoudiger|kurzer|einfacher|plus|mas|piu|mais|shorter|longer|simpler|more|less|genauer
    ^короче|подробнее|проще
    """
)
# They stand for a person who was named before.
PERSON_POINTERS = listed(
    "he she him her his hers himself herself hes shes",
    "er ihn ihm ihr seine seinen seinem seiner ihre ihren ihrer ihrem",
    "lui elle",
    "ella suyo",
    "lui lei",
    "ele ela dele dela",
    "hij zij haar hem",
    "он она его ее ему ей него нее нем ней",
)
# They stand for anything that was named before, people included.
POINTERS = listed(
    "it its they them their theirs this that these those there then one ones both either neither former latter same such here",
    "es sie deren dessen dies diese dieser dieses das dort davon daran damit dafur daruber da dem denen",
    "il ils elles leur leurs cela ca ce cette ces y en la son sa ses celui celle",
    "ello eso esa ese esto esta este su sus ellos ellas alli ahi lo",
    "esso essa loro questo questa quello quella ci ne suo sua suoi sue li",
    "isso isto esse essa este deles delas seu sua seus suas la eles elas",
    "het ze hun hen dit dat deze die daar er zijn",
    "они их им это этот эта там оно",
)
GERMAN = listed(
    "der die das und ist ein eine einen einer nicht wie wer wann warum ich mir du sie mit fur von im zum zur den dem des auf wurde hat bitte"
)
# Words that are never what a question is about: in a subject they are left out.
FUNCTION_WORDS = (
    QUESTION_WORDS
    | COORDINATORS
    | FILLERS
    | PERSON_POINTERS
    | POINTERS
    | GERMAN
    | listed(
        "a an the of in on at to from for by with about into over under i me my we our us you your be been being not if than as more most much many any some all every tell know give list explain describe say name want"
        " happen happens mean means work works cost costs exist exists make makes made called like long far old big high there",
        "des dem den im am zu bei nach uber unter vom als nur noch mein meine kosten funktioniert heisst liegt passiert",
        "le la les l un une de du des au aux d dans sur sous par pour avec je me mon ma mes nous vous ne pas se s",
        "el la los las un una unos de del al en sobre para con yo mi mis nos no se lo dime hablame",
        "il lo la i gli le un uno una di del della dei delle al alla da dal in nel nella su sul per con io mi mio mia non si dimmi parlami",
        "o a os as um uma de do da dos das ao no na nos nas em por para com eu meu minha nao se",
        "de het een van in op aan te bij naar voor met over ik mijn niet",
        "в на о об у с по из для не был была было были есть мне про к от",
    )
)
