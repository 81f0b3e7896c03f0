"""The statements by which tasks of teams get a slot: each agent works on one task at a time.

A task keeps its agent busy while it runs, and while it waits in the middle of its work: for consent to a call, for the
end of that call, or for the user who has paused it. A question and other tasks keep no agent busy, since nothing of the
task is in progress then. It continues once its agent is free, before new tasks of that agent.
"""

COLUMNS = (
    "id, team, parent, agent, brief, expects, files, options, status, waits, stopping, failures, ready, run_id, owner,"
    " until, question, answer, result, reason, sources, tokens, cost, run_tokens, run_cost, added, ended"
)

# The first task of a team isn't bound to its agent. A lease counts until it expires; what a team that was cut off left
# running binds no agent until the team is resumed.
LEASED = "(other.until > :now OR other.owner = :owner)"
SAME_AGENT = "other.agent = task.agent AND other.parent IS NOT NULL AND other.id <> task.id"
WORKS = (
    "(other.status = 'running' OR (other.status = 'parked' AND other.waits IN ('consent', 'call', 'pause')))"
)
BINDS = "(other.status = 'running' OR (other.status = 'parked' AND other.waits NOT IN ('question', 'tasks')))"
OPEN = "SELECT value FROM json_each(:teams)"
OTHERS = f"""
SELECT other.id FROM tasks AS other
WHERE {SAME_AGENT} AND {BINDS} AND ({LEASED} OR (task.status = 'waiting' AND other.team IN ({OPEN})))
"""
HAS_SLOT = (
    "(SELECT count(*) FROM tasks WHERE status = 'running' AND (until > :now OR owner = :owner)) < :slots"
)

# A task whose lease has expired continues before a new one begins.
CLAIM = f"""
UPDATE tasks SET status = 'running', waits = NULL, owner = :owner, until = :until, run_id = coalesce(run_id, :run_id)
WHERE id = (
    SELECT id FROM tasks AS task
    WHERE team IN ({OPEN}) AND (
        (status IN ('running', 'parked') AND until <= :now AND owner IS NOT :owner)
        OR (
            status = 'waiting' AND ready <= :now
            AND NOT EXISTS (
                SELECT 1 FROM task_edges JOIN tasks AS before ON before.id = after_id
                WHERE task_id = task.id AND before.status <> 'done')
        )
    )
    AND (parent IS NULL OR NOT EXISTS ({OTHERS}))
    AND {HAS_SLOT}
    ORDER BY status = 'waiting', seq LIMIT 1
)
RETURNING {COLUMNS}
"""
UNPARK = f"""
UPDATE tasks AS task SET status = 'running', waits = NULL, until = :until
WHERE id = :id AND owner = :owner AND status = 'parked' AND {HAS_SLOT}
    AND (parent IS NULL OR NOT EXISTS (SELECT 1 FROM tasks AS other WHERE {SAME_AGENT} AND {WORKS} AND {LEASED}))
RETURNING id
"""
# The task that keeps the agent of a task busy.
BUSY = f"""
SELECT found.id FROM tasks AS task, tasks AS found
WHERE task.id = :id AND task.parent IS NOT NULL AND found.id IN ({OTHERS}) LIMIT 1
"""
# The next time at which a waiting task or an expired lease can be claimed. What could be claimed by its time now waits
# for a slot or for another task, and is looked at when one ends.
NEXT = """
SELECT min(CASE status WHEN 'waiting' THEN ready ELSE until END) FROM tasks
WHERE team IN (SELECT value FROM json_each(?1)) AND (
    (status = 'waiting' AND ready > ?2) OR (status IN ('running', 'parked') AND owner IS NOT ?3 AND until > ?2))
"""
