export { type Notifier, type NotifierParts, startNotifier } from './start-notifier.ts';
