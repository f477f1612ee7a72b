"""Words that the rules know, by what they say: data, with the reason beside each table.

asking   how a question or a request begins, in ten languages
people   by what one tells that somebody is asked about
world    by what one tells that the answer stands in the world
work     by what one tells that it is the user's own work, or no question at all
"""
