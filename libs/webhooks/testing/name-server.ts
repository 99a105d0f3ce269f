import { createSocket, type RemoteInfo } from 'node:dgram';

type Answer = readonly string[] | 'unknown' | 'silence';

export type NameServer = { readonly server: string; readonly asked: string[]; readonly close: () => Promise<void> };

const A = 1;
const NAME_ERROR = 3;

/** The name a question asks for, and where it ends. */
const questionOf = (question: Buffer): { readonly name: string; readonly type: number; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
};

const addressRecord = (address: string): Buffer => {
  const head = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 1, 0, 4]);
  return Buffer.concat([head, Buffer.from(address.split('.').map(Number))]);
};

const answerTo = (question: Buffer, end: number, code: number, addresses: readonly string[]): Buffer => {
  const head = Buffer.concat([question.subarray(0, 2), Buffer.from([0x81, 0x80 | code])]);
  const counts = Buffer.from([0, 1, 0, addresses.length, 0, 0, 0, 0]);
  return Buffer.concat([head, counts, question.subarray(12, end), ...addresses.map(addressRecord)]);
};

/** A name server on the loopback: it gives IPv4 addresses, knows nothing of a name, or never answers (or never for IPv6). */
export const openNameServer = async (
  answers: Readonly<Record<string, Answer>>,
  { saysNothingOfV6 = false } = {},
): Promise<NameServer> => {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = questionOf(question);
    asked.push(name);
    const answer = answers[name] ?? 'unknown';
    if (answer === 'silence' || (saysNothingOfV6 && type !== A)) return;
    const found = answer === 'unknown' || type !== A ? [] : answer;
    socket.send(answerTo(question, end, answer === 'unknown' ? NAME_ERROR : 0, found), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
};
