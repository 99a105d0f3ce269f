/**
 * Asks the app in this container whether it lives, or what else is named: `node healthcheck.mjs /health/ready`.
 * Readiness is a matter for the proxy: who is restarted because a broker is away comes back to the same broker.
 */
const [path = '/health/live'] = process.argv.slice(2);
const { PORT = '3000' } = process.env;

const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { signal: AbortSignal.timeout(8_000) });
process.exitCode = answer.ok ? 0 : 1;
