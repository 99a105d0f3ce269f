import { SearchField } from './pages/search.tsx';
import { pageAt, pages } from './pages.tsx';
import { usePulse } from './parts/pulse.ts';
import { timeText } from './parts/time.tsx';
import { linkTo, usePlace } from './router.ts';
import { useCan, useMe } from './session/session.ts';
import { SignOut } from './session/sign-out.tsx';

const Links = ({ path }: { path: string }) => {
  const can = useCan();
  const seen = pages.filter(({ needs, unlisted = false }) => can(needs) && !unlisted);
  return (
    <nav aria-label="Pages">
      <ul>
        {seen.map((page) => (
          <li key={page.path}>
            <a href={linkTo(page.path)} aria-current={pageAt(path)?.page === page ? 'page' : undefined}>
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Pulse = () => {
  const pulse = usePulse();
  return <span class="pulse">{pulse ? `As of ${timeText(pulse.at)}` : 'Waiting for the service'}</span>;
};

export const Shell = ({ onSignedOut }: { onSignedOut: () => void }) => {
  const me = useMe();
  const can = useCan();
  const place = usePlace();
  const found = pageAt(place.path);
  const Shown = found && can(found.page.needs) ? found.view : undefined;
  return (
    <>
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <header>
        <strong>Cointill</strong>
        <Pulse />
        <SearchField path={place.path} />
        <span>
          {me.name ?? `token ${me.id}`} ({me.role})
        </span>
        <SignOut onSignedOut={onSignedOut} />
      </header>
      <Links path={place.path} />
      <main id="content" tabindex={-1}>
        {Shown ? (
          <Shown key={found?.id ?? ''} id={found?.id ?? ''} query={place.query} />
        ) : (
          <h1>There is no such page</h1>
        )}
      </main>
    </>
  );
};
