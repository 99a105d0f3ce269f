/** A million rows take their time, and so does an index over them; whoever is told to stop does not wait for them. */
export const PATIENCE_MS = 3_600_000;

/** Of a session that does so: its statements are bounded as those of the pool otherwise, by some seconds. */
export const PATIENT = { statement_timeout: `${PATIENCE_MS}` };
