/** The test-webhook call: one event sent on request, so many times a minute. */
export { CALLS_PER_WINDOW, type CountedCall, countTestCall } from './count-call.ts';
export { sendTestWebhook } from './send-test.ts';
