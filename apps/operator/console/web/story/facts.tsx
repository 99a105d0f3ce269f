import { type Facts as FactsOf, textOf } from './fold.ts';

/** The Deposit object as its partner would have read it; what this event changed is marked. */
export const Facts = ({ facts, changed }: { facts: FactsOf; changed: ReadonlySet<string> }) => (
  <section aria-label="The deposit as its partner read it">
    <h2>As the partner read it</h2>
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} class={changed.has(name) ? 'changed' : ''} data-field={name}>
          <dt>
            {name}
            {changed.has(name) && <strong> (changed)</strong>}
          </dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  </section>
);
