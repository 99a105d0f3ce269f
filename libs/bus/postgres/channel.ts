/** One channel for all topics; the payload is the topic's name. */
export const CHANNEL = 'bus_published';
