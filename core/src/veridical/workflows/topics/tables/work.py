# ruff: noqa: E501 - a phrase is a line; letters of other scripts are what these tables are made of
"""By what one tells that it is the user's own work, the conversation itself, or no question at all."""

from __future__ import annotations

from veridical.workflows.topics.phrases import Phrases, listed

__all__ = [
    "AMBIGUOUS_TOOLS",
    "ASSISTANT",
    "CODE",
    "CODE_PHRASES",
    "COMPOSES",
    "FICTION",
    "FIRST_PERSON",
    "GIVEN_TEXTS",
    "HELP_ME",
    "HOW_TO",
    "LANGUAGES",
    "MAKES",
    "MAYBE_CODE",
    "MESSAGES",
    "NAMED",
    "OWN",
    "RECIPIENT",
    "RECKONING",
    "SMALL_TALK",
    "TECHNOLOGY",
    "TRANSFORMS",
    "UNITS",
    "UNSPACED_WORK",
    "VAGUE",
    "WORDING",
]

# Verbs that order work, where a clause begins. What is ordered may still need facts: other rules look at that first.
MAKES = Phrases(
    """
    ^write|draft|compose|create|generate|make|build|implement|code|refactor|fix|debug|optimize|optimise|improve|rename|format|convert|port|migrate|deploy|install|add|remove|delete|replace|insert|sort|test|review|simplify|clean|help
    ^come up with
    ^open|close|click|load|upload|download|attach
    ^turn|change|update|split|merge|extract|parse|annotate|document|complete|finish|continue|fill|brainstorm|design|plan|organise|organize|adjust|set|use|print|calculate|compute|multiply|divide|subtract|count|reverse|encode|decode|shorten|lengthen
    ^proofread|translate|rewrite|rephrase|paraphrase|reword|summarise|summarize|correct|edit|polish|condense|invent|imagine|pretend|suggest|prepare|produce|render|typeset|sketch|rhyme|sing|play|roleplay|act|run|let|speak|reply|talk|stop|call|repeat|start|transcribe|combine|output|return|put|keep|say|do|don|never|always|remember|forget|solve|round|simulate|store|save|append|apply|commit|move|try|go
    ^schreib|schreibe|schreiben|verfasse|erstelle|erzeuge|generiere|bau|baue|programmiere|implementiere|korrigiere|korrigier|ubersetze|ubersetz|formuliere|fasse|fass|kurze|kurz|verbessere|uberarbeite|refaktoriere|mach|mache|hilf|dichte|denk|erfinde|entwirf|plane
    ^berechne|rechne|sortiere|wandle|konvertiere|erganze|vervollstandige|antworte|sprich|setze|lies|fuge|ersetze|optimiere|behebe|stell|tu|spiel|verwende|benutze|lass
    ^ecris|ecrivez|redige|redigez|cree|creez|genere|generez|corrige|corrigez|traduis|traduisez|reformule|reformulez|resume|resumez|ameliore|aide|aidez|invente|imagine|calcule|convertis|programme|implemente|optimise|refactorise|fais|faites|ajoute|complete|propose|relis|raccourcis|joue|debogue|compose
    ^escribe|escriba|redacta|redacte|crea|genera|corrige|corrija|traduce|traduzca|reformula|resume|mejora|ayudame|ayuda|inventa|imagina|calcula|convierte|programa|implementa|optimiza|refactoriza|haz|anade|completa|propon|revisa|acorta|compon|depura|arregla
    ^scrivi|scriva|crea|genera|correggi|traduci|riformula|riassumi|migliora|aiutami|inventa|immagina|calcola|converti|programma|implementa|ottimizza|rifattorizza|fai|fammi|aggiungi|completa|proponi|rileggi|accorcia|componi|sistema|fingi
    ^escreve|escreva|redija|redige|cria|crie|gera|gere|corrige|corrija|traduz|traduza|reformula|reformule|resume|resuma|melhora|melhore|ajuda|ajude|inventa|invente|imagina|imagine|calcula|calcule|converte|converta|implementa|implemente|faz|faca|completa|complete|reve|encurta|otimize|refatora|refatore
    ^schrijf|maak|genereer|corrigeer|verbeter|vertaal|herschrijf|herformuleer|vat|help|verzin|bedenk|bereken|converteer|programmeer|implementeer|optimaliseer|refactor|voeg|vul|doe|speel|controleer|stel|sorteer
    ^перепиши|перепишите|замени|удали|отсортируй
    ^swap|exchange|tidy|indent|move|rearrange|reorder|restructure|wrap|trim|copy|paste|cut|crop
    ^напиши|напишите|создай|создайте|сгенерируй|исправь|исправьте|переведи|переведите|перефразируй|сократи|улучши|помоги|помогите|придумай|придумайте|посчитай|вычисли|сделай|сделайте|проверь|реализуй|отрефактори|добавь|составь|сочини
    ^napisz|popraw|przetlumacz|skroc|oversatt|yaz|cevir
    """
)
# Of these verbs nobody can tell what the work is: they need another sign of it.
VAGUE = listed(
    "help go say play let use try start keep put set run remember forget come suggest talk imagine pretend act return output print do don never always plan call speak find fill finish complete continue combine choose pick guess stop prepare document round "
    "hilf tu mach mache stell spiel sprich antworte lies denk lass setze verwende benutze erganze vervollstandige plane aide aidez fais faites imagine joue complete propose haz ayuda ayudame completa propon imagina inventa fai fammi aiutami immagina fingi completa proponi faz faca ajuda "
    "ajude imagine completa complete help doe speel stel vul сделай помоги помогите"
)
# With a subject behind them they order a text about something; of these, too, it depends on what.
COMPOSES = listed(
    "write draft compose create generate make produce render prepare build design give schreib schreibe schreiben verfasse erstelle erzeuge generiere mach mache ecris ecrivez redige redigez cree creez genere generez compose escribe escriba redacta redacte crea genera compon haz scrivi scriva "
    "crea genera componi fai escreve escreva redija redige cria crie gera gere faz faca schrijf maak genereer напиши напишите создай создайте составь сгенерируй сделай"
)
# The object is a text that the user gives: what stands in it is material, not a question.
TRANSFORMS = Phrases(
    """
    translate|translating|translation
    proofread|proofreading|rewrite|rephrase|paraphrase|reword|polish|summarise|summarize|correct|edit|shorten|condense|simplify|transcribe|spellcheck|grammar|punctuation|typos|typo|spelling|tone
    how|what ~ say|translate|call|write ~ in
    ubersetz*|korrigier*|umformulier*|formulier*|zusammenfass*|kurz*|rechtschreibung|grammatik|tippfehler
    fass|fasse ~ zusammen
    tradui*|corrige|corrigez|reformul*|resume|resumez|raccourci*|orthographe|fautes|relis
    traduc*|traduzca|corrige|reformula|resume|acorta|ortografia|revisa
    traduci|correggi|riformula|riassumi|accorcia|ortografia|errori
    traduz|traduza|corrige|corrija|reformul*|resum*|encurt*|ortografia|reve
    vertaal|corrigeer|herschrijf|herformuleer|spelling|spelfouten
    vat ~ samen
    перевед*|исправ*|перефразиру*|сократи|перепиши
    """
)
# Whose text it is: without one of these, "summarise the French Revolution" is about the world.
OWN = listed(
    "this these that those following above below attached my our mine ours selected highlighted pasted provided given",
    "diesen dieses diese dieser diesem folgenden folgende folgender mein meine meinen meinem meiner unser unsere unseren obigen angehangte ",
    "ce cet cette ces suivant suivante suivants mon ma mes notre nos ci dessous dessus joint",
    "este esta esto estos estas siguiente siguientes mi mis nuestro nuestra",
    "questo questa questi queste seguente seguenti mio mia miei mie nostro nostra",
    "este esta isto estes estas seguinte meu minha meus minhas nosso nossa",
    "deze dit volgende mijn onze ons onderstaande",
    "этот эту это эти следующий следующее мой моя мое мою мои наш нашу",
)
FIRST_PERSON = listed(
    "i my me we our us im ive id ill myself mine",
    "ich mein meine meinen meinem wir unser unsere mir mich",
    "je j mon ma mes nous notre moi",
    "yo mi mis me nosotros nuestro",
    "io mio mia mi noi",
    "eu meu minha me nos nosso",
    "ik mijn wij we ons mij",
    "я мой моя мне меня мы наш",
)
# What a user gives to be worked on: with "this" or "my" beside it, it is no matter of the world.
GIVEN_TEXTS = listed(
    "text texts paragraph paragraphs sentence sentences draft drafts document documents notes note essay article email emails letter report file files attachment page pages spreadsheet sheet table slides presentation transcript passage "
    "summary chapter manuscript folder repo repository project thesis abstract list outline code script function resume cv pdf csv data dataset version versions contract selection section wording title "
    "satz absatz entwurf dokument datei dateien notizen aufsatz artikel brief bericht tabelle ordner projekt mail "
    "texte paragraphe phrase document fichier fichiers brouillon lettre courriel rapport tableau notes dossier "
    "texto parrafo frase oracion documento archivo borrador carta correo informe tabla notas carpeta "
    "testo paragrafo documento bozza lettera relazione tabella appunti cartella "
    "paragrafo arquivo ficheiro rascunho carta relatorio tabela notas pasta "
    "tekst alinea zin concept bestand verslag tabel notities map "
    "текст абзац предложение документ файл черновик письмо отчет таблица заметки"
)
# A message to somebody: its addressee is no subject.
MESSAGES = listed(
    "email emails mail letter message note card invitation invite toast reply text sms dm memo thank greeting congratulations congratulation apology wishes birthday anniversary vow vows application cover resignation complaint agenda minutes "
    "nachricht brief karte einladung einladungen antwort gluckwunsch gluckwunsche geburtstagskarte bewerbung anschreiben kundigung entschuldigung dankeskarte rede courriel lettre message carte invitation reponse candidature remerciement excuses "
    "correo carta mensaje tarjeta invitacion respuesta felicitacion candidatura lettera messaggio biglietto invito risposta auguri mensagem cartao convite resposta bericht brief kaart uitnodiging antwoord sollicitatiebrief письмо сообщение открытку приглашение ответ поздравление"
)
RECIPIENT = listed("to for an fur a au pour para per alla al aan voor naar dear with mit к для")
# Made up, and meant to be.
FICTION = listed(
    "poem poems haiku limerick sonnet story stories tale fable lullaby song lyrics rap ballad joke jokes pun puns riddle riddles tagline taglines slogan slogans dialogue screenplay script scene character characters novel fiction fanfic plot "
    "villain dragon fairy fairytale bedtime metaphor verse rhyme motto caption captions hashtag username nickname names name title titles pickup toast dungeon worldbuilding prompt logo acrostic tongue twister",
    "gedicht gedichte geschichte marchen lied witz witze ratsel slogan sonett reim kurzgeschichte figur drehbuch gutenachtgeschichte namen titel limerick",
    "poeme poemes histoire conte chanson blague blagues devinette slogan sonnet nouvelle personnage comptine nom noms titre",
    "poema poemas cuento cuentos historia cancion chiste chistes adivinanza eslogan soneto personaje nombre nombres titulo",
    "poesia poesie racconto storia favola filastrocca canzone barzelletta barzellette indovinello slogan sonetto personaggio nome nomi titolo",
    "poema poemas conto historia cancao piada piadas adivinha slogan soneto personagem nome nomes titulo",
    "gedicht verhaal verhaaltje sprookje lied liedje mop moppen grap grapje raadsel slogan sonnet personage naam namen titel",
    "стих стихи стихотворение рассказ сказку сказка историю песню шутку анекдот загадку слоган хайку",
)
# The character whose name follows is invented.
NAMED = listed(
    "named called genannt namens heisst nomme nommee appele appelee llamado llamada chiamato chiamata chamado chamada genaamd met by имени"
)
HOW_TO = Phrases(
    """
    how do|can|to|would|should|could i|we|you|one|?
    how to
    how can i
    what is|s the best|right|idiomatic|easiest|cleanest|proper|correct|fastest|simplest way
    best way|practice|practices|approach
    wie kann|mache|sortiere|lese|schreibe|erstelle|konvertiere|installiere|benutze|verwende|nutze|teste|definiere|offne|losche|zentriere|prufe|bekomme|lade|starte|finde|filtere|fange|iteriere|vermeide|parse|rufe|fuge|implementiere|behebe ich|man|eine|einen|ein
    comment puis|faire|peut|on|je|trier|lire|ecrire|creer|installer|utiliser|centrer|convertir|supprimer|tester|ajouter|parcourir|fonctionne|declarer
    como puedo|se|hago|ordeno|leo|escribo|creo|instalo|uso|centro|convierto|ordenar|leer|crear|instalar|usar|centrar|convertir|hacer|funciona|posso|faco|ordenar|ler|criar|usar|instalar|fazer|percorrer|recorro|elimino|puede
    come posso|si|faccio|ordino|leggo|scrivo|creo|installo|uso|centro|converto|ordinare|leggere|creare|installare|usare|fare|funziona|centrare
    hoe kan|sorteer|lees|schrijf|maak|installeer|gebruik|centreer|converteer|verwijder|test|los|voeg|werkt ik|je|men|een|ik
    как отсортировать|прочитать|создать|установить|использовать|сделать|написать|удалить|добавить|преобразовать|проверить|работает|мне|исправить
    """
)
HELP_ME = Phrases(
    """
    help me|us with? my? write|draft|plan|debug|fix|name|brainstorm|organize|organise|improve|rewrite|proofread|practice
    help me|us with|plan|organize|organise|improve my|our|this
    """
)
# The assistant, what it said, and how it is to say it.
ASSISTANT = Phrases(
    """
    who|what|how|where are you|u
    are|can|could|do|did|would|will you ~ human|robot|ai|bot|real|conscious|feel|feelings|remember|understand|dream|sleep|like|enjoy|speak|help|learn|see|hear|code|program|access|browse|save|store|there|sentient|hungry|tired|sure
    what|how can|are you
    what|how|which do|did|would you like|think|feel|mean|say|work|prefer|recommend
    what|how|which model|version|language|languages are|do|can|version you
    from now on
    bullet points
    use|using|no|without|fewer|less|more emojis|emoji|bullet|bullets|headings|markdown|jargon|apologies
    answer|answers|reply|replies|respond shorter|longer|briefly|briefer|only|always|simpler
    tutoie|vouvoie|tutoyez moi
    reponds|repondez|parle|ecris moi? toujours|en|plus
    responde|rispondi|responda|habla|fala|antwoord siempre|sempre|altijd|en|in|em
    antworte|antworten immer|nur|ab|bitte
    your|yourself name|favorite|favourite|limitations|capabilities|training|knowledge|creator|purpose|instructions|answer|answers|last|previous|own|opinion|system|rules|day|memory|sources|privacy
    about yourself
    introduce yourself
    forget|ignore what i|we|you said|asked|wrote
    what can|cannot t? you do
    you said|say|told|mentioned|wrote|meant|mean|just
    did|do|have|had i|we ~ say|said|ask|asked|tell|told|mention|talk|talked|discuss|discussed|write|wrote|start
    my|your|the last|previous|first|earlier question|questions|message|messages|answer|prompt|prompts|request|name|response|reply
    what is|s|was my name|question
    this|our conversation|chat|discussion
    we talking|discussing
    be|answer|reply|respond|speak|write|use|keep|avoid|stop|always|don|never|call ~ concise|brief|short|formal|informal|bullet|bullets|points|emojis|emoji|english|german|french|spanish|apologizing|polite|tone|simple|shorter|answers|sentences|language|words|me
    bist|kannst|wer|hast|magst|fuhlst|wie|was|woher|weisst|kennst|traumst|sprichst du|dich
    dein|deine|deinen|deiner name|namen|antwort|antworten|lieblingsfarbe|meinung|aufgabe|grenzen|letzte|letzten|fahigkeiten
    was ~ habe|hatte|habt ich ~ gefragt|gesagt
    antworte|sprich|schreib|schreibe|duze|sieze ~ kurz|knapp|deutsch|formell|mich|stichpunkten|ab|englisch|hoflich
    qui|que|comment|quel|quelle|peux|sais|es|as|aimes|parles|ton|ta|tes es|peux|sais|t|tu|toi|nom|reponse
    tu es|peux|sais|parles|comprends|aimes ~ ia|robot|humain|langue|langues|faire|francais
    que|cosa|o|wat|quoi puedes|sai|puoi|podes|pode|sabes|kun|peux hacer|fare|fazer|doen|je|faire
    eres|puedes|quien|como|sabes|tienes|tu eres|te|nombre|llamas|una|un|hablar|ayudarme|respuesta|sentimientos
    sei|puoi|chi|come|hai|sai|tuo|tua sei|ti|un|una|chiami|nome|risposta|parlare|aiutarmi|umano
    voce|tu|es|consegue|seu|teu e|es|pode|consegue|um|uma|nome|fala|humano
    ben|kun|kan|heb|hoe|wat|wie jij|je ~ robot|mens|bot|heet|naam|helpen|doen|vandaag
    jouw|je naam|antwoord
    ты|твое|твой|тебя умеешь|можешь|робот|человек|имя|зовут|бот
    как тебя зовут
    что ты умеешь|можешь
    """
)
SMALL_TALK = Phrases(
    """
    ^thanks|thank|thx|ty|cheers|hi|hello|hey|hiya|yo|bye|goodbye|cya|howdy|greetings|congrats|lol|haha|hahaha|hehe|wow|nice|cool|great|awesome|perfect|amazing|brilliant|excellent|wonderful|lovely|sorry|ok|okay|yes|yep|yeah|no|nope|sure|alright|ugh|oops|hmm|welcome|ping|sup|nevermind
    how are|r you|u|things|ya|we
    how s|is it|your|life|everything going|day|?
    how was|is your
    good morning|evening|night|afternoon|day|job|bye|luck|work|point|idea|one
    what s|is up
    nice|great|pleased|good to|job|work meet|see|talk|hear|?
    see you|ya
    see you later|soon|tomorrow
    have a|an good|nice|great|lovely|amazing
    i m|am|feel|feeling|was so|very|a|really|feeling|just|bored|tired|sad|happy|lonely|stressed|excited|hungry|back|fine|good|great|ok|sorry
    that s|is|was great|nice|good|helpful|wrong|perfect|funny|right|not|all|amazing|awesome|fine|it
    never mind
    would you rather ~ or
    let s start|begin|continue|go|talk over|again|on?
    you there|ready|awake
    you re|are ~ awesome|great|amazing|best|funny|cool|smart|nice|kind|welcome|right|wrong|helpful|star|sweet|genius|cute|brilliant|hilarious|stupid|useless
    love|like you|it|this|that
    just kidding
    knock knock
    ^morning|evening|afternoon|night
    how was|is your
    i was|m away|back|late
    entertain me
    talk to you
    happy birthday|new|friday|monday|weekend|holidays
    merry christmas
    cheer me
    tell|know|got|hear me? a|another|some|any good? joke|jokes|pun|riddle|story
    ^hallo|moin|servus|danke|dankeschon|tschuss|super|toll|prima|klasse|gut|ja|nein|gruss|guten|schonen|entschuldigung|genau|gerne|bis
    wie geht|gehts|lauft es|dir|s|ihnen|?
    guten morgen|tag|abend
    gute nacht
    vielen dank
    mir ist|geht langweilig|gut|schlecht|kalt|es
    ^bonjour|salut|merci|bonsoir|coucou|super|genial|oui|non|bonne|parfait|desole|adieu|bravo|revoir
    comment|ca ca|va vas|allez|va|tu|bien
    comment vas|allez|tu tu|vous|vas
    ca va
    ^hola|gracias|buenos|buenas|adios|genial|perfecto|si|no|vale|perdon|chao|hasta|muchas
    como estas|esta|te|andas va|usted|?
    que tal
    ^ciao|grazie|buongiorno|buonasera|buonanotte|salve|perfetto|bravo|si|no|scusa|arrivederci|ottimo
    come stai|va|sta
    ^ola|oi|obrigado|obrigada|bom|boa|tchau|perfeito|sim|nao|valeu
    como vai|estas|esta|voce voce|tudo|?
    tudo bem|bom
    bom|boa dia|tarde|noite
    ^ready to|for
    buongiorno|buonasera
    buenos|buenas dias|tardes|noches
    bonne nuit|journee|soiree|chance
    ^hallo|hoi|dank|bedankt|dag|doei|goedemorgen|goedenavond|goedemiddag|welterusten|prima|leuk|mooi|ja|nee|dankjewel|tot|fijne
    hoe gaat|is het
    dank je|u
    alles goed
    ^привет|здравствуй|здравствуйте|спасибо|пока|доброе|добрый|как|отлично|супер|да|нет|хорошо
    как дела|ты|поживаешь
    доброе утро
    спокойной ночи
    ^dzien dobry
    ^dziekuje|czesc|merhaba|tesekkurler|selam|hej|tack|namaste|arigato|aloha|sayonara|konnichiwa
    ^salaam|salam|مرحبا|شكرا|नमस्ते|धन्यवाद|שלום|תודה|γεια|ευχαριστω
    """
)
# Arithmetic and units: the answer follows from the question.
RECKONING = Phrases(
    """
    square|cube|cubic root|roots
    plus|minus|times|divided|multiplied|modulo|percent|mal|geteilt|prozent|moins|fois|pourcent|mas|menos|por|piu|meno|per|diviso|vezes|keer|gedeeld|procent|плюс|минус|умножить|разделить by|durch|durch|par|entre|de|von|of|van|на|?
    convert|umrechnen|konvertiere|convertis|convierte|converti ~ to|in|into|en|nach
    factorial|derivative|integral|integrate|differentiate|factorize|factorise|logarithm|cosine|sine|tangent|quadratic|equation|ableitung|gleichung|derivee|equation|derivada|integrale|ecuacion|equazione|fakultat|wurzel|racine|raiz|radice|wortel
    solve|simplify ~ for|x
    average|mean|median|sum|product|remainder|summe|somme|suma|somma|soma|som of|between|von|de|di|van
    prime number|numbers|factors
    random number|numbers
    celsius|fahrenheit|kilometers|kilometres|km|miles|kg|pounds|lbs|inches|cm|ounces|grams|liters|litres|gallons|feet|meters|metres|yards|meilen|millas|miglia ~ to|in|into|nach|en|a
    how many days|weeks|months|years|hours|minutes between|from|until|till
    how|wie|combien|cuantos|quanti|quantos|hoeveel|сколько many|much|viele|viel|de|? minutes|seconds|hours|days|weeks|inches|feet|grams|meters|ounces|minuten|sekunden|stunden|minutos|secondes|secondi|minuti|секунд ~ in|are|is|hat|y|tem|hay|ci|en|в
    what|how is|much|s|many|? 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|plus 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|of|to|plus|minus|times|percent|divided|x
    was|wie|wieviel ist|viel|? ist? 0*|1*|2*|3*|4*|5*|6*|7*|8*|9* 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|mal|plus|minus|prozent|durch|hoch
    combien font|fait
    cuanto|cuantos|quanto|quanti es|son|fa|fanno|e|sao|da 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|el|la
    hoeveel is 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*
    сколько будет
    binary|hex|hexadecimal|octal|decimal|roman ~ to|in|numeral|numerals
    0*|1*|2*|3*|4*|5*|6*|7*|8*|9* x|plus|minus|times|percent|mal|fois|per|por|keer 0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|of
    """
)
# Words about words.
WORDING = Phrases(
    """
    synonym|synonyms|antonym|antonyms|rhymes|rhyme|spell|spelling|spelled|conjugate|conjugation|pronounce|grammatically|grammar|plural|comma|apostrophe|subjunctive|wording|phrasing|adjective|adverb
    synonym*|reim*|konjugier*|grammatik*|rechtschreib*|buchstabier*|mehrzahl|komma
    synonyme*|conjugue*|conjugaison|orthographe|pluriel|accord
    sinonimo*|conjuga*|plural|ortografia|tilde
    sinonim*|coniuga*|plurale|grammatica
    another|better|other|different word|way|phrase for|to
    word|phrase|term that|for|meaning
    affect or|vs effect
    how|wie|comment|como|come|hoe do|sagt|schreibt|dit|ecrit|se|si|zeg|schrijf you|man|on|dice|diz|escribe|escreve|scrive|je say?
    was|what heisst|does ~ auf|in
    как сказать|пишется|будет
    """
)
# Snakes, islands and seasons, too: they are tools where something else says so, or after "in", "with" or "using".
AMBIGUOUS_TOOLS = listed(
    "android angular bun cassandra celery dart elixir excel express flask hibernate java jenkins julia kafka lambda maven node perl poetry python raspberry react ruby rust sheets spring swift unity unreal windows"
)
# Programs and tools by name, and words that hardly mean anything else.
TECHNOLOGY = listed(
    """
    javascript typescript kotlin scala golang php haskell ocaml clojure erlang lua bash zsh powershell fortran cobol matlab csharp cpp html css sass scss sql nosql graphql
    json yaml toml xml csv regex regexp regexes latex markdown numpy pandas polars scipy sklearn pytorch tensorflow keras matplotlib seaborn plotly django fastapi pydantic sqlalchemy pytest unittest asyncio pip conda uv
    virtualenv venv jupyter reactjs vue svelte nextjs nuxt nodejs deno npm yarn pnpm webpack vite babel eslint prettier cypress playwright selenium nestjs redux tailwind bootstrap jquery
    docker dockerfile kubernetes k8s kubectl helm terraform ansible git nginx apache postgres postgresql mysql sqlite mongodb redis rabbitmq elasticsearch dynamodb aws s3 ec2 gcp azure heroku vercel
    linux ubuntu debian fedora macos vim neovim emacs vscode intellij pycharm xcode gradle junit rails laravel symfony wordpress dotnet blazor godot opencv llvm gcc clang cmake makefile
    makefiles vlookup xlookup powerpoint cron crontab systemd ssh grep awk sed curl wget tmux ffmpeg jq grpc protobuf websocket websockets oauth jwt cors http https tcp udp dns tls ssl api apis rest sdk cli ide orm crud
    huggingface langchain openapi swagger openssl log4j arduino webassembly wasm leetcode hackerrank quicksort mergesort heapsort dijkstra dataclass dataclasses usestate useeffect groupby dataframe dataframes kwargs
    """
)
CODE = TECHNOLOGY | listed(
    """
    function functions code coding codebase programming programmer algorithm algorithms recursion recursive iterator iterators decorator decorators closure closures monad monads functor lambda lambdas
    keyword keywords todo todos monorepo monorepos ternary ternaries mutable immutable linker semver lockfile idempotent pagination debounce debouncing memoized timestamps scrum kanban hashing nullable mocking boolean integer integers tuple tuples dict dicts dictionary hashmap hashmaps hashtable array arrays enum enums struct structs pointers typedef polymorphism encapsulation singleton
    constructor constructors destructor namespace mutex mutexes semaphore deadlock deadlocks goroutine goroutines coroutine coroutines async await multithreading asynchronous callback callbacks subclass superclass
    stacktrace traceback segfault nullpointerexception typeerror valueerror keyerror attributeerror importerror syntaxerror indexerror runtimeerror nameerror undefined nan compiler compiling
    linter lint debugger breakpoint refactor refactoring debug debugging unittests mocking fixture fixtures parametrize middleware backend frontend localhost endpoint endpoints webhook webhooks
    repo rebase todo todos cherrypick changelog gitignore devops microservice microservices serverless
    div divs flexbox stylesheet href onclick checkbox dropdown navbar
    database databases schema schemas subquery varchar sharding denormalize normalization crud
    caching memoization memoize parser parsers parsing tokenizer serializer serialize deserialize stdin stdout stderr subprocess mainloop argparse utf unicode ascii base64 checksum bitwise
    variable variables parameter parameters loop loops iterate iterating null nullable
    funktion funktionen programmieren algorithmus rekursion schleife schleifen variable variablen datenbank datenbankabfrage quellcode fehlermeldung skript unittest unittests programmierung
    fonction fonctions programmation recursivite recursion boucle boucles variable variables algorithme dictionnaire
    funcion funciones programacion recursion recursividad bucle bucles variable variables algoritmo diccionario arreglo
    funzione funzioni programmazione ricorsione variabile variabili algoritmo dizionario stringa
    funcao funcoes programacao recursao laco variavel variaveis algoritmo dicionario
    functie functies programmeren recursie lus variabele variabelen algoritme broncode foutmelding
    функция функцию функции алгоритм рекурсия рекурсию переменная переменную массив скрипт питоне
    """
)
# They speak of when two of them meet.
MAYBE_CODE = AMBIGUOUS_TOOLS | listed(
    """
    inheritance codes program programs container containers pipeline argument arguments exception exceptions interface interfaces pointer generator generators nested logging stored joins stash cache mock mocks repository repositories float floats compile compiles concurrency diff logger viewport tableau chaine cadena ciclo klasse methode programm cadena programma codigo codice кода код программа программу список словарь строку цикл binary promises config logger yield
    class classes method methods object objects type types string strings list lists table tables column columns row rows key keys index query queries file files folder directory path server client port thread threads process processes
    memory stack queue heap tree graph node edge branch branches commit commits merge push pull test tests bug bugs error errors warning build deploy module modules package packages import imports library libraries framework script
    scripts command commands shell terminal field fields model models view controller route routes router component components hook hooks props handler request requests response log logs session token tokens hash
    binary bit bits byte bytes line lines comments return returns print output input sort sorting filter map reduce search insert delete update join app application website page button form image url link
    user users login password config settings environment version dependency dependencies install plugin extension template syntax statement expression operator set sets linked balanced
    liste listen datei dateien tabelle spalte zeile fehler modul paket befehl zeichenkette ordner fichier fichiers liste colonne ligne erreur paquet commande dossier archivo archivos lista listas columna fila error paquete comando carpeta
    metodo clase texto file lista colonna riga errore pacchetto comando cartella classe metodo arquivo ficheiro coluna linha erro pacote comando pasta bestand bestanden lijst kolom rij fout pakket opdracht map klasse tekst
    файл файлы таблица класс метод ошибка ошибку список строка
    """
)
CODE_PHRASES = Phrases(
    """
    linked list|lists
    binary search|tree|trees
    shell command|commands|script|scripts
    cron job|jobs
    event loop|loops
    thread pool|pools
    code review|reviews|smell|style
    big o
    design pattern|patterns
    visitor|factory|observer|strategy|decorator|singleton|adapter|builder|command|facade|proxy|iterator|mediator|repository|mvc pattern
    c array|arrays|program|pointer|struct|string|compiler
    array|string|list|pointer|function|loop|arrays|strings|lists in c|go|r
    unit test|tests|testing
    regular expression|expressions
    time|space complexity
    data structure|structures|class|frame
    pull|merge request|conflict|conflicts
    list comprehension|comprehensions
    object oriented
    functional programming
    garbage collection|collector
    race condition|conditions
    memory leak|leaks
    stack trace|overflow|frame
    command line
    environment variable|variables
    dependency injection
    version control
    hash table|map|function
    pivot table
    type hint|hints|script|safe
    thread safe
    merge conflict
    foreign|primary key
    inner|outer|left join
    null pointer
    static|dynamic typing
    exit code
    status code
    open source license header
    """
)
UNSPACED_WORK = (
    "翻译", "翻譯", "代码", "代碼", "函数", "函數", "编程", "程序", "润色", "改写", "总结这", "總結這", "写一首", "寫一首", "字典", "列表", "字符串", "变量", "變數", "数组", "循环", "报错", "你能看到", "你会说", "你能做什么", "写一个故事", "你好", "谢谢", "謝謝", "早上好", "再见", "递归", "正则", "修改这", "这段", "這段", "你是谁", "你叫什么", "笑话",
    "翻訳", "コード", "関数", "プログラ", "要約して", "書き直", "添削", "詩を", "物語", "俳句", "こんにちは", "ありがとう", "おはよう", "こんばんは", "この文", "再帰", "リファクタ", "冗談", "敬語", "短くして", "段落", "直して", "次の文", "配列", "文字列", "変数", "エラー", "あなたは誰", "元気",
    "번역", "코드", "함수", "안녕", "감사", "สวัสดี", "ขอบคุณ", "แปล",
)  # fmt: skip
UNITS = listed(
    "km kilometer kilometers kilometre kilometres mile miles meter meters metre metres cm mm inch inches feet foot ft yard yards kg kilogram kilograms gram grams pound pounds lb lbs ounce ounces oz liter liters litre litres gallon gallons cup cups ml "
    "second seconds minute minutes hour hours day days week weeks month months year years celsius fahrenheit kelvin degrees percent percentage square cube root power factorial derivative integral equation solve simplify sum product average mean median "
    "january february march april may june july august september october november december number numbers binary hex hexadecimal decimal roman numerals tip bill split people prime factors plus minus times divided multiplied half double third quarter sin cos tan log x y mb gb kb bytes bits two three four five six seven eight nine ten hundred "
    "sekunden minuten stunden tage wochen jahr woche tag stunde meter meilen grad prozent wurzel mal geteilt quadratwurzel secondes minutes heures jours semaine an racine carree fois segundos minutos horas dias semana ano raiz cuadrada veces secondi minuti ore "
    "giorni settimana anno radice quadrata volte dagen uur weken jaar wortel keer плюс минус умножить разделить секунд минут часов неделе часе корень fait font fanno sono es ist"
)
LANGUAGES = listed(
    "english german french spanish italian portuguese dutch russian chinese japanese latin korean arabic hindi polish turkish swedish deutsch englisch franzosisch spanisch italienisch anglais allemand francais espagnol italien ingles aleman frances espanol italiano portugues "
    "inglese tedesco francese spagnolo engels duits frans nederlands английский немецкий русский sprechen speak language languages hablar parler parlare falar spreken"
)
