/** A `%` that begins no escape stands for itself. */
const plain = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** User and password of a URL as every client sends them (RFC 7617); the others never see them, and a URL may have none. */
export const basicOf = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === '' && password === '') return {};
  const credentials = Buffer.from(`${plain(username)}:${plain(password)}`, 'utf8').toString('base64');
  return { authorization: `Basic ${credentials}` };
};
