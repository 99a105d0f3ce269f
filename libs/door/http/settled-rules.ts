import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type Rules = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;
type Target = Parameters<MetadataStorage['getTargetValidationMetadatas']>[0];

/**
 * For each object that it checks, and each object therein, the library goes through the rules of all classes that there
 * are. Those of a class are settled when it is first checked, so what was found then is kept. Nobody here has groups.
 */
export const keepSettledRules = (): void => {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const settled = new Map<Target, Rules>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (groups !== undefined || schema) return find(target, schema, always, strictGroups, groups);
    const rules = settled.get(target) ?? find(target, schema, always, strictGroups);
    settled.set(target, rules);
    return rules;
  };
};
