/*
 * The lanes of notifications: src/delivery/notifications/, docs/adr/0009 and docs/notifications.md.
 *
 * Writes add events to lanes, one for each listing. Workers take lanes that are due and send their events to the marketplace, which accepts
 * or refuses them. Workers die, the database is slow, and responses are lost. The promises:
 *
 * - An event is sent only after every earlier event of its listing was accepted or set aside.
 * - Once an event was accepted, no earlier event of its listing arrives.
 * - An event is delivered at least once: it stays pending until it is accepted or set aside, and a lane with a pending event stays due.
 * - A waiting lane is eventually served, and no worker holds a lane forever.
 *
 * With FREEZES, the lease can also end during an attempt, because the worker froze or the network delayed its request. The second promise
 * does not hold then: the request may repeat an event after later ones were accepted. The others hold.
 *
 * Left out: mails, which carry several events, channels that are not configured, and the operator's retries.
 *
 * A comment `Step x` names a step that the code marks with `Model notification-lanes: x`; test/models.test.ts compares them.
 *
 * Broken variants:
 * 1. stores an outcome although the lease was lost
 * 2. ends a lane to which an event was added meanwhile
 * 3. takes any lane, not the one that has been due longest
 * 4. sends although the lease may end during the attempt
 * 5. leaves a lane to a worker that died
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#define LANES 2
#define WORKERS 2
#define EVENTS 2
#define FAULTS 2

/* A lane's `due_at`: null, the end of a lease that still runs, or past. */
mtype = { none, later, now }
mtype due[LANES] = none
/* Lanes whose `due_at` is past, longest due first. */
chan waiting = [LANES] of { byte }
/* A worker has one lane at a time, so its number serves as its token. 0 is none. */
byte token[LANES]
/* How many events were added, which is also the lane's version, and how many of them, in order, were delivered or set aside. */
byte version[LANES]
byte ended[LANES]
/* The latest event that the marketplace accepted. */
byte accepted[LANES]
/* The outcome of an attempt. */
mtype = { delivered, failed, set_aside }

/* By worker: its lane plus 1 (0 without a lane), and whether it is sending. There is no worker 0. */
byte held[WORKERS + 1]
bool is_sending[WORKERS + 1]

/* How many faults are left. */
byte faults = FAULTS

inline be_due() { due[lane] = now; waiting ! lane }

/* Step wake: in the transaction that stores the event. */
inline wake() {
	version[lane]++;
	if
	:: due[lane] == none -> be_due()
	:: else
	fi
}

/* Process 0, so the workers are 1 and 2. Lane 0 shows the order of its events, lane 1 that lanes are served. */
active proctype Writer() {
	byte lane;
	do
	:: atomic { version[0] < EVENTS -> lane = 0; wake() }
	:: atomic { version[1] < 1 -> lane = 1; wake() }
	:: version[0] == EVENTS && version[1] == 1 -> break
	od
}

/* The marketplace accepts the event. */
inline accept() {
#ifndef FREEZES
	assert(event >= accepted[lane]);
#endif
	accepted[lane] = (event > accepted[lane] -> event : accepted[lane])
}

active [WORKERS] proctype Worker() {
	byte lane;
	byte seen; /* The lane's version when it was taken. */
	byte event; /* 0 if nothing is pending. */
	bool is_more; /* Events will be left. */
	mtype outcome;

end:
	do
	:: atomic {
		/* Step take: with a lease. */
#if BROKEN == 3
		if
		:: waiting ?? [0] -> waiting ?? 0; lane = 0
		:: waiting ?? [1] -> waiting ?? 1; lane = 1
		fi;
#else
		waiting ? lane;
#endif
		due[lane] = later;
		token[lane] = _pid;
		held[_pid] = lane + 1;
		seen = version[lane]
	}
	/* Step read: after the lane was taken, so that all events of its version are seen. */
	atomic {
		if
		:: ended[lane] < version[lane] -> event = ended[lane] + 1; is_more = version[lane] > event
		:: else
		fi
	}
	if
	:: event == 0
	:: event > 0 ->
		/* Step check lease: there must be time for an attempt. */
		if
#if BROKEN == 4
		:: is_sending[_pid] = true
#else
		:: atomic { token[lane] == _pid && due[lane] == later -> is_sending[_pid] = true }
#endif
		:: else -> goto forget
		fi;
		/* Step send. */
		atomic {
			assert(event <= ended[lane] + 1);
			if
			:: accept(); outcome = delivered
			:: accept(); outcome = failed /* The response is lost. */
			:: outcome = failed /* Refused. */
			:: outcome = set_aside /* Refused, three days after the first attempt. */
			fi;
			is_sending[_pid] = false
		}
	fi;
	if
	/* Step settle: stores the outcome and releases the lane. */
	:: atomic {
		if
#if BROKEN == 1
		:: true ->
#else
		:: token[lane] == _pid ->
#endif
			token[lane] = 0;
			assert(outcome != delivered || accepted[lane] >= event);
			if
			:: (outcome == delivered || outcome == set_aside) && event == ended[lane] + 1 -> ended[lane]++
			:: outcome == failed -> is_more = true
			:: else
			fi;
			/* The lane is due if its lease is over. */
			if
			:: waiting ?? [eval(lane)] -> waiting ?? eval(lane)
			:: else
			fi;
			if
#if BROKEN == 2
			:: !is_more -> due[lane] = none
#else
			:: version[lane] == seen && !is_more -> due[lane] = none
#endif
			:: else -> be_due()
			fi;
			assert(due[lane] != none || ended[lane] == version[lane])
		:: else
		fi
	}
	:: atomic { faults > 0 -> faults-- } /* The worker dies. Another one starts in its place. */
	fi;
forget:
	atomic { held[_pid] = 0; lane = 0; seen = 0; event = 0; is_more = false; outcome = 0 }
	od
}

/* Process 3 is the lease of lane 0, process 4 that of lane 1. */
active [LANES] proctype Lease() {
	byte lane = _pid - WORKERS - 1;
#define is_held (held[token[lane]] == lane + 1)
#ifdef FREEZES
#define may_end (faults > 0)
#else
#define may_end (faults > 0 && !is_sending[token[lane]])
#endif
end:
	do
	/* Step lease ends: always after a death, otherwise only if the database is slow. */
#if BROKEN != 5
	:: atomic { due[lane] == later && !is_held -> be_due() }
#endif
	:: atomic { due[lane] == later && is_held && may_end -> faults--; be_due() }
	od
}

ltl waiting_lanes_are_served { [] ((due[1] == now -> <> (due[1] != now)) && (due[1] == later -> <> (due[1] != later))) }
