"""Tables of words behind `people`: what people do, what is no person, where a statement about somebody ends. Words are folded.

    OCCUPATIONS  a word or phrase -> its field      AKIN       fields that one life often joins
    DEEDS        what is done -> its field          SUBJECTS   what a professor professes -> its field
    NEUTRAL      occupations of people in any field

A field of sport is `sport:KIND`; two kinds are two fields. English has most words, German, French and Spanish the usual ones; German
feminines (`-in`) and French and Spanish ones that are not listed are found by their ending.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import combinations

__all__ = [
    "ACRONYM_LINKS",
    "AKIN",
    "DEEDS",
    "DEMONYMS",
    "GENDERS",
    "HEADLINE",
    "NEUTRAL",
    "NOT_PLACES",
    "OCCUPATIONS",
    "ORGANISATION",
    "RANKS",
    "RELATIVES",
    "SCAFFOLDING",
    "SITES",
    "SUBJECTS",
    "SUFFIXES",
    "THINGS",
    "TITLES",
    "field_of",
    "fold",
    "listed",
]

_ACCENTS = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Return `text` in small letters, compatible forms and Latin accents folded: a key, not for quoting."""
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()


def listed(words: str) -> frozenset[str]:
    """Return the words, folded; `_` stands for a space."""
    return frozenset(fold(word.replace("_", " ")) for word in words.split())


def _fields(table: dict[str, str]) -> dict[str, str]:
    return {word: field for field, words in table.items() for word in sorted(listed(words))}


OCCUPATIONS = _fields(
    {
        "science": """
        scientist chemist biochemist physicist astrophysicist biophysicist geophysicist biologist microbiologist zoologist
        botanist geologist astronomer mathematician statistician ecologist geneticist naturalist meteorologist neuroscientist
        entomologist ornithologist palaeontologist paleontologist oceanographer immunologist virologist epidemiologist
        climatologist cosmologist polymath data_scientist computer_scientist chemiker physiker biologe mathematiker astronom
        geologe naturforscher wissenschaftler wissenschaftlerin informatiker chimiste physicien physicienne biologiste
        mathematicien mathematicienne astronome geologue scientifique naturaliste quimico fisico biologo biologa matematico
        astronomo astronoma geologo geologa cientifico cientifica materials_scientist data_analyst crystallographer
        bacteriologist seismologist hydrologist forester agronomist geographer cartographer demographer climate_scientist
        nutritionist dietitian herbalist
        """,
        "engineering": """
        engineer inventor programmer software_developer software_engineer web_developer shipbuilder ingenieur erfinder
        programmierer softwareentwickler ingenieure inventeur inventrice developpeur ingeniero ingeniera inventora programador
        programadora civil_engineer electrical_engineer mechanical_engineer roboticist watchmaker full-stack_developer
        clockmaker luthier surveyor instrument_maker hacker
        """,
        "medicine": """
        physician surgeon neurosurgeon cardiologist dermatologist psychiatrist paediatrician pediatrician oncologist neurologist
        radiologist anaesthetist anesthesiologist gynaecologist gynecologist obstetrician urologist gastroenterologist
        ophthalmologist pathologist general_practitioner family_doctor medical_doctor md arzt arztin chirurg kinderarzt
        kinderarztin hausarzt psychiater medecin chirurgien chirurgienne pediatre cardiologue psychiatre medico medica cirujano
        cirujana pediatra cardiologo cardiologa psiquiatra internist nephrologist endocrinologist rheumatologist orthopaedist
        orthopedist hematologist haematologist gp coroner optometrist optician podiatrist
        """,
        "therapy": """
        psychologist psychotherapist therapist counsellor counselor psychologe psychologue psicologo psicologa physiotherapist
        chiropractor osteopath occupational_therapist social_worker physical_therapist acupuncturist personal_trainer
        yoga_teacher
        """,
        "dentistry": "dentist orthodontist dds dmd zahnarzt zahnarztin dentiste odontologo odontologa dentista",
        "nursing": """
        nurse midwife krankenschwester krankenpfleger hebamme infirmier infirmiere enfermero enfermera nurse_practitioner
        registered_nurse paramedic rn
        """,
        "veterinary": "veterinarian vet_surgeon veterinary_surgeon dvm tierarzt tierarztin veterinaire veterinario veterinaria",
        "pharmacy": "pharmacist apotheker pharmacien pharmacienne farmaceutico farmaceutica",
        "academia": """
        professor lecturer researcher scholar academic postdoc phd_student forscher hochschullehrer dozent professeur
        professeure chercheur chercheuse profesor_titular catedratico catedratica investigador investigadora dean rector provost
        vice-chancellor
        """,
        "education": """
        teacher schoolteacher headteacher head_teacher headmaster headmistress school_principal lehrer schulleiter instituteur
        institutrice enseignant enseignante maestro maestra profesor profesora
        """,
        "humanities": """
        historian philosopher economist linguist archaeologist archeologist anthropologist sociologist political_scientist
        historiker philosoph okonom volkswirt linguist archaologe soziologe theologe historien historienne philosophe economiste
        linguiste archeologue sociologue theologien historiador historiadora filosofo filosofa economista linguista arqueologo
        arqueologa sociologo sociologa
        """,
        "law": """
        lawyer attorney solicitor barrister jurist magistrate prosecutor paralegal county_judge judge justice anwalt anwaltin
        rechtsanwalt rechtsanwaltin richter staatsanwalt staatsanwaltin notar avocat avocate juriste magistrat notaire abogado
        abogada jurista juez jueza notario notaria defense_attorney general_counsel jd fachanwalt
        """,
        "politics": """
        politician senator congressman congresswoman mayor councillor councilman councilwoman governor mp diplomat statesman
        stateswoman ambassador prime_minister finance_minister foreign_minister member_of_parliament assemblyman assemblywoman
        legislator alderman state_senator state_representative trade_unionist politiker burgermeister abgeordneter abgeordnete
        landtagsabgeordnete bundestagsabgeordnete minister_fur ministerprasident politicien politicienne homme_politique
        femme_politique maire depute deputee senateur senatrice diplomate ambassadeur politico alcalde alcaldesa diputado
        diputada senador senadora diplomatico diplomatica lobbyist political_adviser chancellor civil_servant head_of_state
        minister_of minister_for finance_secretary cabinet_minister ministro ministra ministre ministerin
        staatssekretar secretary_of_state party_leader premier
        """,
        "activism": """
        activist campaigner suffragist suffragette aktivist militant militante activista abolitionist prison_reformer
        social_reformer whistleblower feminist
        environmentalist conservationist
        """,
        "business": """
        businessman businesswoman businessperson entrepreneur ceo cfo coo cto chief_executive chief_executive_officer investor
        banker financier industrialist merchant accountant actuary auditor venture_capitalist real_estate_agent
        stockbroker bookkeeper marketing_director marketing_manager sales_manager managing_director unternehmer
        geschaftsfuhrer kaufmann bankier steuerberater entrepreneuse banquier comptable homme_d'affaires femme_d'affaires
        empresario empresaria banquero banquera contador contadora chief_technology_officer chief_financial_officer
        chief_operating_officer chief_marketing_officer trader broker hedge_fund_manager management_consultant
        shipowner account_manager product_manager recruiter hr_manager
        """,
        "property": "realtor real_estate_agent estate_agent property_developer letting_agent immobilienmakler agent_immobilier",
        "writing": """
        novelist poet playwright dramatist journalist columnist reporter essayist memoirist storyteller biographer
        schriftsteller dichter romancier romanciere poete poetesse dramaturge journaliste ecrivain ecrivaine novelista poeta
        poetisa dramaturgo dramaturga periodista escritor escritora ghostwriter photojournalist science_writer copywriter
        food_writer travel_writer crime_writer children's_author
        """,
        "film": """
        actor actress filmmaker film_director screenwriter film_producer comedian movie_director theatre_director
        theater_director schauspieler regisseur filmregisseur drehbuchautor acteur actrice comedien comedienne realisateur
        realisatrice cineaste scenariste actriz cineasta guionista comediante humorista cinematographer film_editor stuntman
        magician puppeteer animator voice_actor stage_actor child_actor stand-up_comedian set_designer costume_designer
        """,
        "broadcasting": """
        presenter broadcaster newsreader television_host tv_host radio_host podcaster newscaster presentateur presentatrice
        animateur animatrice presentador presentadora locutor locutora youtuber streamer vlogger influencer weatherman
        news_anchor anchorwoman anchorman
        """,
        "music": """
        musician singer singer-songwriter songwriter composer guitarist pianist violinist cellist drummer bassist saxophonist
        trumpeter rapper soprano tenor mezzo-soprano baritone organist flautist vocalist jazz_pianist opera_singer
        record_producer dj musiker sanger komponist gitarrist geiger dirigent musicien musicienne chanteur chanteuse compositeur
        compositrice pianiste guitariste violoniste cantante musico compositor compositora guitarrista pianista violinista
        cantautor cantautora fiddler harpist oboist clarinettist clarinetist percussionist lutenist bandleader keyboardist
        accordionist lyricist music_producer organiste opernsanger
        """,
        "dance": "dancer choreographer ballerina tanzer choreograf danseur danseuse choregraphe bailarin bailarina coreografo coreografa",
        "art": """
        painter sculptor sculptress illustrator printmaker engraver potter ceramicist watercolourist cartoonist visual_artist
        maler bildhauer grafiker peintre sculpteur sculptrice graveur graveuse illustrateur illustratrice pintor pintora
        escultor escultora grabador ilustrador ilustradora goldsmith weaver textile_artist muralist lithographer silversmith
        bookbinder calligrapher jeweller jeweler glassblower woodcarver tapestry_maker basketmaker
        """,
        "photography": "photographer fotograf photographe fotografo fotografa",
        "design": """
        architect fashion_designer interior_designer graphic_designer garden_designer landscape_architect stylist architekt
        modedesigner architecte styliste arquitecto arquitecta disenador disenadora urban_planner game_designer
        industrial_designer
        """,
        "modelling": "fashion_model supermodel beauty_queen fotomodell mannequin",
        "military": """
        soldier admiral rear_admiral vice_admiral brigadier colonel lieutenant-colonel lt._col army_officer naval_officer airman
        army_general fighter_pilot sergeant corporal soldat offizier oberst soldado almirante coronel militaire amiral militar
        veteran sniper wing_commander squadron_leader air_marshal commandant paratrooper resistance_fighter widerstandskampfer

        """,
        "religion": """
        priest parish_priest bishop archbishop cardinal_priest pastor rabbi imam missionary monk nun clergyman vicar preacher
        theologian friar pfarrer priester bischof rabbiner pretre eveque pasteur rabbin sacerdote obispo rabino pastora hermit
        prophet methodist_minister quaker_minister baptist_minister presbyterian_minister anglican_minister unitarian_minister
        congregational_minister chaplain deacon
        """,
        "nobility": """
        king queen duke duchess prince princess nobleman noblewoman countess baroness monarch landowner konig konigin herzog roi
        reine duc duchesse rey reina duque duquesa
        """,
        "crime": """
        murderer murderess serial_killer killer fraudster gangster mobster drug_trafficker convict rapist terrorist bank_robber
        morder morderin serienmorder betruger meurtrier meurtriere asesino asesina estafador arsonist kidnapper con_artist
        swindler pirate outlaw crime_boss cannibal burglar sex_offender
        """,
        "police": """
        police_officer detective policeman policewoman police_chief sheriff constable polizist policier policiere policia spy
        intelligence_officer fbi_agent police_sergeant
        """,
        "food": """
        chef cook baker restaurateur sommelier winemaker brewer koch backer winzer cuisinier cuisiniere boulanger cocinero
        cocinera panadero pastry_chef bartender butcher
        """,
        "trades": """
        plumber electrician carpenter builder mechanic welder farmer blacksmith bricklayer roofer truck_driver bus_driver
        gardener hairdresser barber firefighter seamstress tailor miner caretaker handyman locksmith klempner elektriker
        schreiner tischler mechaniker landwirt friseur feuerwehrmann plombier electricien menuisier mecanicien agriculteur
        coiffeur coiffeuse fontanero electricista carpintero mecanico agricultor peluquero bombero shoemaker mason taxi_driver
        lorry_driver stonemason joiner beekeeper fisherman shepherd logger rancher flight_attendant postman mailman cleaner
        janitor cashier bodyguard saddler undertaker housekeeper dressmaker schlosser imker fischer apiculteur apicultor
        """,
        "printing": "printer publisher bookseller drucker buchhandler imprimeur editeur impresor",
        "aviation": """
        pilot test_pilot airline_pilot aviator aviatrix astronaut cosmonaut flieger astronaut aviateur aviatrice piloto_aviador
        astronauta aviador aviadora
        """,
        "exploration": """
        explorer navigator mountaineer polar_explorer sea_captain entdecker bergsteiger explorateur exploratrice alpiniste
        explorador exploradora alpinist adventurer sailor
        """,
        "library": """
        librarian archivist curator bibliothekar bibliothecaire bibliotecario bibliotecaria bibliographer museum_director
        senior_curator museum_curator conservator
        """,
        "sport": """
        athlete sportsman sportswoman olympian head_coach sportler deportista atleta entrenador entrenadora entraineur
        sports_agent trainer sports_coach judoka archer fencer canoeist triathlete handball_player volleyball_player netballer
        squash_player badminton_player snooker_player darts_player table_tennis_player lacrosse_player hurler sportlehrer
        spitzensportler trainerin bodybuilder powerlifter weightlifter surfer skateboarder climber equestrian curler bobsledder
        luger referee umpire diver rider poker_player esports_player professional_gamer gamer water_polo_player speed_skater

        """,
        "sport:football": """
        footballer midfielder goalkeeper striker defender winger centre-back full-back football_player football_manager
        soccer_player quarterback linebacker wide_receiver running_back cornerback football_coach fussballspieler fussballer
        torwart sturmer mittelfeldspieler footballeur footballeuse attaquant gardien_de_but milieu_de_terrain futbolista
        delantero portero centrocampista fussballtrainer soccer_coach
        """,
        "sport:cricket": "cricketer batsman bowler fast_bowler wicket-keeper wicketkeeper all-rounder leg-spinner cricket_player",
        "sport:tennis": "tennis_player tennis_coach tennisspieler tennisspielerin tenista joueur_de_tennis joueuse_de_tennis",
        "sport:golf": "golfer golfspieler golfista golfeur golfeuse",
        "sport:rugby": "rugby_player rugby_union_player rugby_league_player scrum-half fly-half prop_forward rugbyman",
        "sport:basketball": """
        basketball_player point_guard shooting_guard power_forward basketball_coach basketballspieler basketteur baloncestista
        """,
        "sport:baseball": "baseball_player pitcher shortstop outfielder catcher baseball_pitcher infielder baseball_manager beisbolista",
        "sport:hockey": "ice_hockey_player hockey_player defenceman defenseman goaltender ice_hockey_defenceman eishockeyspieler hockeyeur",
        "sport:cycling": "cyclist radrennfahrer radsportler cycliste coureur_cycliste ciclista",
        "sport:swimming": "swimmer swimming_coach schwimmer nageur nageuse nadador nadadora",
        "sport:athletics": """
        sprinter marathon_runner long-distance_runner hurdler high_jumper decathlete pole_vaulter runner leichtathlet
        velocista
        """,
        "sport:boxing": "boxer kickboxer boxeur boxeador wrestler",
        "sport:racing": "racing_driver race_car_driver rennfahrer pilote_automobile piloto_de_carreras jockey",
        "sport:skiing": "skier snowboarder biathlete skifahrer skieur skieuse esquiador",
        "sport:chess": "chess_player grandmaster chess_grandmaster schachspieler schachgrossmeister ajedrecista joueur_d'echecs",
        "sport:rowing": "rower ruderer rameur oarsman yachtsman yachtswoman",
        "sport:gymnastics": "gymnast gymnaste gimnasta figure_skater ice_skater",
    }
)

NEUTRAL = listed(
    """
    author writer editor founder co-founder cofounder director president chairman chairwoman chair manager head leader owner member
    consultant speaker blogger translator designer artist adviser advisor producer partner associate trustee vice_president
    project_manager commander host student volunteer officer doctora specialist expert
    analyst executive secretary model developer technician assistant philanthropist collector general captain major principal doctor
    philanthrop autor autorin leiter leiterin vorsitzender vorsitzende mitglied kunstler kunstlerin
    auteur autrice directeur directrice fondateur fondatrice president presidente membre artiste
    autor autora director directora fundador fundadora presidente presidenta miembro artista
    """
)

_GROUPS_AKIN = (
    "science engineering academia medicine",
    "science academia education humanities",
    "academia medicine therapy nursing pharmacy",
    "academia medicine dentistry",
    "academia medicine veterinary",
    "academia law politics",
    "academia business engineering",
    "academia humanities writing",
    "academia humanities religion",
    "academia art design",
    "academia music education",
    "humanities politics law",
    "humanities library academia",
    "business law politics",
    "politics activism law writing",
    "politics nobility military",
    "politics printing writing",
    "film writing broadcasting",
    "film music dance modelling",
    "music dance education",
    "writing broadcasting humanities",
    "art design photography film",
    "art printing",
    "design engineering modelling",
    "military aviation exploration police",
    "science exploration photography",
    "photography writing film exploration",
    "science engineering aviation",
    "science printing",
    "religion education activism",
    "education sport",
    "food business trades",
    "food writing broadcasting",
    "crime court",
    "property business trades",
    "education academia dance",
    "police law",
)
_SPORTS = " ".join(sorted({field for field in OCCUPATIONS.values() if field.startswith("sport")}))
AKIN = frozenset(
    frozenset(pair)
    for group in (*_GROUPS_AKIN, *(f"broadcasting {sport}" for sport in _SPORTS.split()))
    for pair in combinations(group.split(), 2)
)
"""Pairs of fields that are often found in one life: they say neither that two people are one nor that they are two."""

DEEDS = _fields(
    {
        "sport": """
        won_gold won_silver won_bronze gold_medal silver_medal bronze_medal gold_medallist silver_medallist bronze_medallist
        plays_for played_for playing_for scored scores juega_como joue_pour spielt_fur competes_in
        """,
        "film": "starred_in stars_in starred_as starring_in",
        "music": "sang recorded_the_album released_her_debut_album released_his_debut_album tours_with has_released",
        "art": "painted sculpted",
        "writing": "wrote_the_novel wrote_poems wrote_her_first_poem wrote_his_first_poem",
        "religion": "was_ordained ordained ordinato",
        "law": "practices_law practises_law practiced_law practised_law practices_family_law argued_the_case",
        "court": """
        was_convicted was_sentenced sentenced was_arrested arrested pleaded_guilty was_charged was_hanged was_executed
        convicted_of denied_parole sentenced_to jailed_for
        """,
        "military": "enlisted commanded",
        "politics": "was_elected represents_the",
    }
)

SUBJECTS = _fields(
    {
        "science": """
        chemistry physics biology mathematics maths statistics astronomy geology botany zoology ecology genetics chemie physik
        mathematik biologie chimie physique mathematiques quimica fisica biologia matematicas
        """,
        "engineering": "engineering computing informatics computer_science informatik informatique informatica",
        "medicine": """
        medicine surgery dermatology cardiology neurology oncology psychiatry paediatrics pediatrics pathology medizin medecine
        medicina
        """,
        "therapy": "psychology psychologie psicologia",
        "law": "law jurisprudence rechtswissenschaft droit derecho",
        "humanities": """
        history philosophy economics linguistics sociology anthropology archaeology theology classics geschichte philosophie
        histoire economie historia filosofia economia
        """,
        "writing": "poetry creative_writing journalism",
        "music": "music musik musique composition",
        "art": "painting sculpture fine_art kunst",
        "design": "architecture design",
        "business": "finance marketing accounting management",
        "education": "education",
    }
)

TITLES = listed(
    """
    dr prof professor mr mrs ms miss mx sir dame lord lady rev reverend fr father sister brother saint st hon judge justice senator
    president governor mayor minister captain capt general gen colonel col major maj sergeant sgt lieutenant lt admiral chief officer
    king queen prince princess count countess baron baroness pope cardinal bishop sheikh imam rabbi ceo md phd
    herr frau dr. doktor professorin m mme mlle monsieur madame maitre docteur professeur senor senora sr sra srta don dona doctor doctora
    dra profesor profesora
    """
)
RANKS = _fields(
    {
        "military": "lt col lt_col sgt sergeant maj major gen general capt captain cpl cmdr brig lieutenant colonel",
        "religion": "rev reverend fr father sister pastor pfarrer",
        "politics": "sen gov rep congressman congresswoman mayor senator governor",
        "law": "judge justice",
        "sport": "coach",
        "food": "chef",
    }
)
"""What stands before a name and tells a field of work there, and nowhere else."""
SUFFIXES = {"jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "ii": "ii", "iii": "iii", "iv": "iv"}

THINGS = listed(
    """
    novel book film movie song album band series show play opera magazine newspaper company firm bank charity organisation organization
    foundation trust institute institution university college school hospital airport bridge street road square park city town village
    county state country region river lake mountain island ship boat vessel crater asteroid planet element species genus rose cultivar
    brand product software language framework library conference festival award prize scholarship fellowship programme program museum
    theatre theater stadium station hotel restaurant pub store shop label team club party station game character musical episode
    documentary painting statue monument building castle house parish suburb commune municipality ministry department
    roman buch lied firma unternehmen stadt dorf schule stiftung schiff gemeinde fluss film spielfilm oper
    livre chanson entreprise societe ville commune ecole fondation navire hopital
    novela libro pelicula cancion empresa ciudad pueblo escuela fundacion barco hospital municipio
    """
)
"""What something that bears a name is, when it is no person: `X is a novel`."""

ORGANISATION = listed(
    """
    university institute institution college school academy hospital clinic infirmary laboratory laboratories labs lab inc ltd llc llp plc
    corp corporation company co gmbh ag sa group bank trust foundation centre center museum gallery library church cathedral parish council
    department faculty ministry society association agency bureau club fc united city_fc town_fc quartet trio orchestra band ensemble studio
    studios partners associates chambers realty media press news times post herald airport bridge street road avenue square park award
    awards prize prizes medal celebration conference charity fellowship actions programme program care hospice house hall stadium
    theatre theater memorial lecture lectures collection papers estate plumbing heating services solutions systems consulting films
    productions records symphony philharmonic opera ballet senate parliament army navy enterprises holdings industries
    brothers sons family middle elementary primary high international
    universitat hochschule institut klinik krankenhaus schule verein stiftung verlag kanzlei universite ecole hopital lycee cabinet
    universidad instituto escuela hospital colegio fundacion clinica bufete
    """
)
"""Words that make a name that of an organisation, a place or an event when they follow it, and mark an employer."""

RELATIVES = listed(
    """
    son daughter brother sister father mother husband wife widow widower nephew niece uncle aunt cousin grandson granddaughter
    grandfather grandmother parents children child partner married spouse friend colleague student pupil assistant rival namesake
    sohn tochter bruder schwester vater mutter ehemann ehefrau witwe neffe nichte enkel freund schuler verheiratet
    fils fille frere soeur pere mere mari epouse epoux veuve neveu niece ami eleve mariee marie_a
    hijo hija hermano hermana padre madre esposo esposa marido viuda viudo sobrino sobrina amigo alumno casado casada
    """
)
"""After one of these somebody else is spoken of."""

SITES = listed(
    """
    wikipedia wikipédia linkedin facebook instagram twitter x youtube imdb britannica wikidata wikimedia tripadvisor crunchbase
    researchgate goodreads spotify discogs eliteprospects transfermarkt biography profile home about website official
    """
)
ACRONYM_LINKS = listed("of the for and de des der und la le du y et")

SCAFFOLDING = listed(
    """
    who what when where why which how whose whom is was are were did does do has have had can could would should tell me us about
    report reports write give show find search look up information info on for the a an of biography bio profile cv resume career life
    summary summarise summarize describe explain everything know known please all any facts background people person named called name
    happened to famous and or in from at with by i want need you let compare research news latest recent update updates s
    wer ist war was wo wann warum wie welche welcher welches uber über bericht biografie biographie lebenslauf informationen zu von der die
    das den bekannt hat sagt suche nach
    qui est était etait quoi que quel quelle quand ou où comment pourquoi sur rapport informations parle moi de du la le les
    quien quién es fue era que qué cual cuando cuándo donde dónde como cómo por informe información informacion sobre biografía el los las
    dime háblame hablame
    """
)
HEADLINE = listed(
    """
    meet about remembering interview introducing who is was by with from the a an and of for in on at to how why when speaker author artist
    speakers director founder former late young an evening poems paintings songs works books official women lot review obituary fast
    our team staff mayor star legend
    """
)

DEMONYMS = listed(
    """
    american english british scottish welsh irish french german polish italian spanish portuguese dutch belgian swiss austrian swedish
    norwegian danish finnish icelandic russian soviet ukrainian czech slovak hungarian romanian bulgarian greek turkish serbian croatian
    armenian georgian israeli iranian iraqi lebanese syrian egyptian moroccan algerian tunisian nigerian ghanaian kenyan ethiopian
    congolese south_african indian pakistani bangladeshi chinese japanese korean taiwanese vietnamese thai indonesian filipino malaysian
    australian canadian mexican brazilian argentine argentinian chilean colombian peruvian venezuelan cuban jamaican new_zealand
    deutscher deutsche osterreichischer osterreichische schweizer franzosischer franzosische englischer amerikanischer amerikanische
    deutsch-amerikanische deutsch-amerikanischer
    francais francaise allemand allemande anglais anglaise americain americaine belge suisse italien italienne espagnol espagnole
    espanol espanola mexicano mexicana argentino argentina colombiano colombiana chileno chilena aleman alemana frances francesa
    """
)

NOT_PLACES = listed(
    """
    january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday
    sunday januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre novembre
    decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    he she they it his her their the this that these those i we our my in on at from for by with and but as after before during born died
    er sie es ihr sein il elle el ella nobel phd dr prof md ba ma bsc msc
    """
)

_COMPOUNDED = tuple(
    sorted(
        listed(
            """
            anwalt anwaltin schauspieler schauspielerin
            historiker historikerin chemiker physiker wissenschaftler politiker politikerin ingenieur lehrer lehrerin
            journalist journalistin regisseur regisseurin bildhauer maler malerin sanger sangerin physicist chemist surgeon
            historian engineer arzt arztin
            """
        )
    )
)
GENDERS = _fields(
    {
        "he": "he his himself il mr herr monsieur father businessman congressman councilman",
        "she": "she her herself elle ella mrs ms frau madame mme señora actress businesswoman congresswoman councilwoman actrice actriz",
    }
)
"""Words that say which pronoun is used of somebody: `sie` and `er` are left out, which mean other things too."""
_FEMININE = (("innen", ""), ("in", ""), ("erin", "er"), ("eurin", "eur"), ("euse", "eur"), ("trice", "teur"), ("ienne", "ien"), ("e", ""))


def field_of(word: str) -> str | None:
    """Return the field of an occupation (folded, one word or several), `""` of one that is of any, None of what is none."""
    found = OCCUPATIONS.get(word)
    if found is not None:
        return found
    if word in NEUTRAL:
        return ""
    inflected = _inflected(word)
    if inflected is not None:
        return inflected
    ending = next((known for known in _COMPOUNDED if word.endswith(known) and len(word) > len(known) + 2 and " " not in word), None)
    return field_of(ending) if ending is not None else None


def _inflected(word: str) -> str | None:
    for ending, masculine in _FEMININE:
        if len(word) > 6 and word.endswith(ending) and (found := OCCUPATIONS.get(word.removesuffix(ending) + masculine)):
            return found
    return None
