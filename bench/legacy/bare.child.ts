import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';

/** What `create` writes, and nothing else: no framework, no rules, no QR code. */
const TABLES = `
  CREATE SEQUENCE ids;
  CREATE TABLE tokens (hash bytea PRIMARY KEY);
  CREATE TABLE contacts (id bigint PRIMARY KEY, email text);
  CREATE TABLE addresses (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address text UNIQUE, owner bigint UNIQUE);
  CREATE INDEX free ON addresses (id) WHERE owner IS NULL;
  CREATE TABLE events (stream text, revision int, id uuid, type text, data jsonb, at timestamptz DEFAULT now(),
    position bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (stream, revision));`;

const TAKE = `
  WITH chosen AS (SELECT id FROM addresses WHERE owner IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE addresses a SET owner = $1 FROM chosen WHERE a.id = chosen.id RETURNING a.address`;

const [url = '', addresses = '0'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
await pool.query(TABLES);
await pool.query(`INSERT INTO addresses (address) SELECT 'bare-' || n FROM generate_series(1, $1::int) n`, [addresses]);
const hashOf = (token: string) => createHmac('sha256', 'bare').update(token).digest();
const known = hashOf('bare-token').toString('hex');

const bodyOf = async (request: IncomingMessage): Promise<{ access_token: string; email: string; amount: number }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
};

const create = async (request: IncomingMessage): Promise<object> => {
  const { access_token, email, amount } = await bodyOf(request);
  if (hashOf(access_token).toString('hex') !== known) throw new Error('no token');
  const { rows } = await pool.query<{ id: number }>({
    name: 'contact',
    text: "INSERT INTO contacts (id, email) VALUES (nextval('ids'), $1) RETURNING id",
    values: [email],
  });
  const id = rows[0]?.id;
  const taken = await pool.query<{ address: string }>({ name: 'take', text: TAKE, values: [id] });
  const data = { id, email: null, amount, address: taken.rows[0]?.address, label: 'order', status: 'Started' };
  await pool.query({
    name: 'append',
    text: "INSERT INTO events (stream, revision, id, type, data) VALUES ($1, 0, gen_random_uuid(), 'Started', $2)",
    values: [`transaction-${id}`, JSON.stringify(data)],
  });
  return data;
};

const server = createServer((request, response) => {
  create(request).then(
    (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
