export { type Notifier, startNotifier } from './start-notifier.ts';
