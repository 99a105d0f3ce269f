const MOST_NAMED = 5;

/** What an error's sentence names of what may be thousands. */
export const firstNamed = (all: readonly string[]): string => {
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};
