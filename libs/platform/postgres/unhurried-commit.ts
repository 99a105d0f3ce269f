/**
 * As a column of a statement: where the parameter is true, the commit of its transaction waits for no disk. What is lost
 * by a crash of the server must come again by itself.
 */
export const commitUnhurriedIf = (parameter: string): string =>
  `set_config('synchronous_commit', CASE WHEN ${parameter} THEN 'off' ELSE current_setting('synchronous_commit') END, true)`;
