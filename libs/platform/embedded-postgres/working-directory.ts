/**
 * How Postgres is told its data directory, into which it is started. Under Linux as its own working directory: that
 * holds for a user who may not pass through the directories above (a root's home), for a path of any length, and for
 * every character.
 */
export const dataPath = (data: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : data);
