/** Of what was made: shown here and never again. */
export const Secrets = ({ named }: { named: Readonly<Record<string, string | null | undefined>> }) => (
  <>
    <p>
      <strong>It is shown this once.</strong> Copy it now; nobody can read it again.
    </p>
    <dl class="facts">
      {Object.entries(named).map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ),
      )}
    </dl>
  </>
);
