/**
 * The deadline of what waits again, which the event does not tell: due at once, so that whoever rings looks it up in the
 * history, and comes back then.
 */
export const LOOKED_UP = '1970-01-01T00:00:00.000Z';
