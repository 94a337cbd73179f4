/*
 * Cached responses and replicas that lag: src/http/responses/, src/platform/memory/, src/platform/db/, docs/adr/0010 and 0013.
 *
 * Writes raise an agency's revision. An instance serves the agency's list and one of its listings: from memory, from a replica, or from the
 * primary. Other instances write, and share nothing else with it. The promises:
 *
 * - A response is not older than the primary was when the request began. So it shows every write acknowledged before, by any instance.
 * - The rows, the total and the ETag of a list belong to one revision.
 * - A 304 is true: the client's copy is not older than a response may be.
 * - A response is cached under no later revision than it shows.
 *
 * Not promised: a replica may show a commit just before the primary does, and the next response may not show it yet.
 *
 * Left out: the agency's profile, whose version is part of each response's name and ETag, and databases that lose commits.
 *
 * A comment `Step x` names a step that the code marks with `Model cached-responses: x`; test/models.test.ts compares them.
 *
 * Broken variants:
 * 1. caches a response under the revision after its read
 * 2. accepts a replica that is behind
 * 3. pairs rows with the total of another revision
 * 4. drops responses only when its own instance writes
 * 5. lets a request join an admission that is already running
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#define WRITES 2
#define CLIENTS 2

/* The agency's revision: the last one committed, which a replica may show, and the one that the primary shows. */
byte committed
byte shown
/* For each revision of the agency, the version of the listing: the revision of its last change. */
byte version[WRITES + 1]

/* The memory of the instance. All parts are of one revision. */
#define none 255
typedef Memory {
	byte revision;
	byte list = none;
	byte listing = none;
	byte total = none
}
Memory responses
Memory counts /* Totals of lists, which are cached separately. */

inline forget(memory) {
	memory.revision = 0;
	memory.list = none;
	memory.listing = none;
	memory.total = none
}

active proctype Writer() {
	byte last;
	do
	:: last < WRITES ->
		/* Step raise: the revision, in the transaction of the write. Some writes change the listing. */
		atomic {
			last++;
			if
			:: version[last] = last
			:: version[last] = version[last - 1]
			fi;
			committed = last
		}
		atomic {
			shown = last;
#if BROKEN == 4
			if
			:: forget(responses)
			:: skip
			fi
#endif
		}
	:: else -> break
	od
}

/* Step find: only entries of the revision at admission. Entries may be evicted. */
inline find(memory, part) {
	atomic {
#if BROKEN != 4
		if
		:: memory.revision != admitted -> forget(memory)
		:: else
		fi;
#endif
		if
		:: found = part
		:: found = none
		fi
	}
}

/* Step keep: not after a slow read, if the memory has a later revision by then. */
inline keep(memory, part, revision_of_it, value) {
	atomic {
		if
		:: memory.revision > revision_of_it
		:: memory.revision < revision_of_it -> forget(memory); memory.revision = revision_of_it; part = value
		:: else -> part = value
		fi
	}
}

/* Reads a snapshot. `found` is then its revision. */
inline read() {
	atomic {
		/* Step read replica: `none` if it is behind, paused or absent. */
		select(found : 0 .. committed);
		if
#if BROKEN == 2
		:: skip
#else
		:: found >= admitted
#endif
		:: found = none
		fi
	}
	/* Step read primary. */
	atomic {
		if
		:: found == none -> found = shown
		:: else
		fi
	}
}

active [CLIENTS] proctype Client() {
	bit is_list; /* Requests the list, or else the listing. */
	byte least; /* The revision that the primary shows when the request begins. */
	byte admitted; /* The revision at admission. */
	byte found;
	byte rows;
	byte total;

end:
	do
	:: atomic {
		least = shown;
		select(is_list : 0 .. 1)
	}
	/* Step admit. */
#if BROKEN == 5
	atomic { select(admitted : 0 .. shown) }
#else
	admitted = shown;
#endif
	if
	:: is_list ->
		find(responses, responses.list);
		if
		:: atomic { found != none -> rows = found; total = found }
		/* Step compare etag: a 304 without a read. The client's copy shows the revision that its ETag names. */
		:: atomic { found == none -> rows = admitted; total = admitted }
		:: found == none ->
			/* Step count: a known total belongs to rows of the same revision only. */
			find(counts, counts.total);
			total = found;
			read();
			rows = found;
			if
#if BROKEN == 3
			:: total != none
#else
			:: total != none && rows == admitted
#endif
			:: else ->
				read();
				rows = found;
				total = found;
				keep(counts, counts.total, rows, total)
			fi;
			keep(responses, responses.list, rows, rows)
		fi;
		assert(rows >= least && total == rows)
	:: else ->
		find(responses, responses.listing);
		if
		:: found != none
		:: else ->
			read();
			found = version[found];
#if BROKEN == 1
			admitted = shown;
#endif
			assert(found >= version[admitted]);
			keep(responses, responses.listing, admitted, found)
		fi;
		assert(found >= version[least])
	fi;
	/* The next request does not depend on this one. */
	atomic { is_list = 0; least = 0; admitted = 0; found = 0; rows = 0; total = 0 }
	od
}
