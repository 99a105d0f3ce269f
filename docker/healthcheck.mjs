/**
 * Asks the app in this container whether it lives. Readiness is a matter for the proxy: who is restarted because a
 * broker is away comes back to the same broker.
 */
const { PORT = '3000' } = process.env;

const answer = await fetch(`http://127.0.0.1:${PORT}/health/live`, { signal: AbortSignal.timeout(4_000) });
process.exitCode = answer.ok ? 0 : 1;
