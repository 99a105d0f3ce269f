import { useId } from 'preact/hooks';

/** What is filled in before something is done. */
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly words?: readonly string[];
  readonly optional?: boolean;
  readonly value?: string;
  readonly pattern?: string;
  readonly hint?: string;
};

/** Trimmed; what was left empty is not there. */
export type Values = Readonly<Record<string, string>>;

export const valuesIn = (form: FormData): Values =>
  Object.fromEntries(
    [...form].map(([name, value]) => [name, String(value).trim()] as const).filter(([, value]) => value !== ''),
  );

export const FieldRow = ({ field }: { field: Field }) => {
  const { name, label, words, optional = false, value = '', pattern, hint } = field;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {words ? (
        <select id={id} name={name} required={!optional}>
          {optional && <option value="">–</option>}
          {words.map((word) => (
            <option key={word} value={word} selected={word === value}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...{ id, name, required: !optional, defaultValue: value }}
          {...(pattern !== undefined && { pattern })}
          {...(hint !== undefined && { title: hint })}
          autocomplete="off"
          spellcheck={false}
        />
      )}
    </div>
  );
};
