import { ConfigurationError, readConfiguration, type Variables } from '../index.ts';

export const problemsWith = (variables: Variables): readonly string[] => {
  try {
    readConfiguration(variables);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};
