import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Loaded } from './load.ts';
import { Time } from './time.tsx';

let first = true;

type PageProps = { readonly title: string; readonly children: ComponentChildren; readonly loaded?: Loaded<unknown> };

/** Its heading takes the focus as it is drawn, so that whoever reads by ear or key begins at the top: no key comes between. */
export const Page = ({ title, children, loaded }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} – Cointill console`;
    if (!first) heading.current?.focus();
    first = false;
  }, [title]);
  return (
    <>
      <h1 tabindex={-1} ref={heading}>
        {title}
      </h1>
      {loaded && <State of={loaded} />}
      {children}
    </>
  );
};

/** How old what is shown is, and why it is not newer. */
export const State = ({ of: { at, problem, data } }: { of: Loaded<unknown> }) => (
  <p class="state" role="status">
    {at && (
      <>
        As of <Time at={at.toISOString()} />
      </>
    )}
    {!at && !problem && 'Loading…'}
    {problem && (
      <span class="problem">
        {data === undefined ? ' ' : ' – not newer, because: '}
        {problem}
      </span>
    )}
  </p>
);
