export { brokersGiven, kafkaForTests } from './kafka-for-tests.ts';
export { type RunningKafka, startKafka } from './start-kafka.ts';
export { missingKafkaTool } from './tools.ts';
