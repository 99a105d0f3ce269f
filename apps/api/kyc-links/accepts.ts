type Method = 'GET' | 'POST';

/** A browser asks for HTML, a program for JSON; who takes anything gets a page to look at and facts of a change. */
export const wantsHtml = (accept: string | undefined, method: Method): boolean => {
  const wanted = (accept ?? '*/*').toLowerCase();
  if (/\btext\/html\b/.test(wanted)) return true;
  return method === 'GET' && !/\bapplication\/json\b/.test(wanted);
};
