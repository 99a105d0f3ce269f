/** Partners' endpoints for the specs of the apps. */
export { type Arrived, type Endpoint, fails, hangs, ok, openEndpoint } from './endpoint.ts';
export { eventually } from './eventually.ts';
export { openPostRoom, type PostRoom, targetAt } from './post-room.ts';
export { namesOf, type Steps, webhooksOfHistory } from './told.ts';
