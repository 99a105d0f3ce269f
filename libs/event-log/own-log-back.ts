type Logger = { readonly error: (fields: object, message: string) => void };

/**
 * Whoever stood beside another log goes on by himself, and nothing else shows what was lost by that: signals, commands and
 * numbers went on in the other one.
 */
export const tellOwnLogBack = (logger: Logger, about: object, since: string | undefined): void =>
  logger.error(
    { alert: 'own_log_back', ...about, since },
    `the log that it had stopped for the lack of is there again. What was taken and decided since ${since ?? 'it stopped'}, ` +
      'if anything was, stands in the other copy alone: keep that, have signals of that time told again, and compare what was decided',
  );
