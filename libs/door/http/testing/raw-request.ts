import { connect } from 'node:net';

/** Sends bytes that no client library would and gives back all that came until the other side closed. */
export const rawRequest = async (url: string, bytes: string): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  // One that is cut, since not all was read that was sent, has its answer too.
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
};
