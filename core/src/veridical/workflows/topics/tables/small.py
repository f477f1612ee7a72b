# ruff: noqa: RUF001 - letters of other scripts are what these tables are made of
"""Short words between the others: articles, prepositions, and words of which the rules need a handful each."""

from __future__ import annotations

from veridical.workflows.topics.phrases import listed
from veridical.workflows.topics.tables.people import OWN_PEOPLE

__all__ = [
    "ABOUT",
    "ADDRESSEES",
    "ALL_OF_THEM",
    "ARTICLES",
    "AUTHORSHIP",
    "DIFFERENCE",
    "DISREGARD",
    "FETCHED",
    "FOR",
    "HOLDERS",
    "NAMING",
    "NOBODY",
    "OF",
    "PARTICULAR",
    "PROGRAM_ROLES",
    "SOME",
    "SUMMARISES",
    "THE_KNOWN",
    "TOPIC",
    "USING",
    "VERSE",
    "WRITING",
    "YOU",
]

# Articles.
ARTICLES = listed("das de dem den der die el het il l la las le les lo los o os the")
# Before facts of one kind as a whole.
THE_KNOWN = ARTICLES | listed("dei des di dos of van von")
# What holds facts when it is written.
HOLDERS = listed(
    "array comment constants csv data dataset dict dictionary docstring echo enum json lijst list lista liste lists map print "
    "readme string tabel tabela tabella tabelle tabla table tableau tuple xml yaml список таблицу"
)
# What brings facts from elsewhere.
FETCHED = listed(
    "api call calls download downloads fetch fetches fetching function input my our parse parses query read reads scrape "
    "scrapes timezone user users"
)
# Indefinite articles.
SOME = listed("a an een ein eine einem um uma un una une")
# What one does with a message.
WRITING = listed(
    "antwoorden antworten begin ecrire end escrever escribir phrase reply repondre respond responder rispondere say schreibe "
    "schreiben schrijven scrivere sign start word write"
)
# After "a biography of": nobody in particular, or the user.
NOBODY = OWN_PEOPLE | listed("a an each een ein eine einen every fictional me mich moi myself these this um uma un una une us user users")
# Before a role: one holder is meant, not the role as such.
PARTICULAR = ARTICLES | listed(
    "actual actuel actuelle aktuelle aktueller ancien attuale atual best cual current currently eerste ehemalige ehemaliger "
    "erste erster famous first former greatest huidige known last latest letzte letzter name names neue neuer new next nieuwe "
    "nouveau nuovo oldest premier primeiro primer primo qual quale quel quelle richest s that this welche welcher welches "
    "welke what whats which youngest какой кто нынешний первый"
)
# Before what is talked about.
ABOUT = listed("about o of on over regarding sobre su sur uber von об про")
# What an assistant may be asked about that is no fact of the world.
YOU = listed(
    "dich dir it jezelf jou me mich mir moi my our te that these this those ti toi us voce what which you your yourself yourselves"
)
# Before whom or what a text is about or speaks as.
TOPIC = listed("about als as come comme como like of on over regarding sobre su sur uber wie о об про")
# With one of these a message is by or about somebody, not to somebody.
AUTHORSHIP = listed("about biography by from life over sobre su sur uber who")
# Before facts: as they are, or all that there are.
ALL_OF_THEM = listed(
    "accurate actual all alle aller biggest cada chaque correct each echte elke every famous jede jeden largest names ogni "
    "real tallest todas todos top tous toutes true tutte tutti все всех"
)
# Who is to be told: "tell me" says nothing of the user.
ADDRESSEES = listed("me mi mij mim mir moi nous ons uns us мне нам")
# Before a tool that is used.
USING = listed("auf avec com con em en for from fur in into met mit my na para per pour to using voor with your на")
# Roles that are parts of programs and tools as well.
PROGRAM_ROLES = listed(
    "anchor auteur author authors autor autore boss boy capo captain chair chef child coach contributor contributors creator "
    "creators designer director directors driver engineer father figure girl guy head host key lady leader leaders leiter "
    "maintainer man manager men mother owner owners parents people person player players principal producer regista ruler "
    "runner son speaker user users woman writer writers"
)
# To say shortly what is known, unless a text to be shortened is given.
SUMMARISES = listed(
    "summarise summarize resume resumez riassumi zusammen samen resuma zusammenfassung resumen riassunto resumo samenvatting summary"
)
# Before whose life or work it is.
OF = listed("of von de di van d du da do del della")
# Verse and jests hold no facts, whatever they are about.
VERSE = listed("haiku haikus limerick sonnet poem poems rhyme joke riddle lullaby gedicht poeme poema poesia versje")
# Between two words of programming they are what these words are.
DIFFERENCE = listed("difference vs versus unterschied diferencia differenza diferenca verschil")
# "Name a river" asks; "a name for my cat" is invented.
NAMING = listed(
    "name names namen nom noms nombre nombres nome nomi nomes naam title titles titel titre titulo titolo caption "
    "captions prompt plot history historia histoire geschichte storia "
)
FOR = listed("for fur pour para per voor для")
# A given text that says this speaks to the model.
DISREGARD = listed("ignore disregard instead forget ignoriere vergiss statt ignora olvida ignorez oublie dimentica esquece negeer vergeet")
