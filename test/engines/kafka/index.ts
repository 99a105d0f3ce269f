export { brokersGiven, type KafkaForTests, kafkaForTests } from './kafka-for-tests.ts';
export { type RunningKafka, type StartKafkaOptions, startKafka } from './start-kafka.ts';
export { MissingTool, missingKafkaTool } from './tools.ts';
