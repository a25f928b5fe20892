import type { listMembersOperation } from '../../../people/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExternalLink } from '../../components/link.tsx';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';

/** What members see here: why there is nothing, and whom to ask. */
export function OwnersOnly() {
  const { data } = useGet<typeof listMembersOperation>('/panel/members');
  const owners = data?.members.filter(({ role, status }) => role === 'owner' && status === 'active') ?? [];
  const texts = words.developersPage.ownersOnly;
  return (
    <EmptyState
      icon="key"
      title={texts.title}
      action={<ExternalLink href="/docs">{texts.documentation}</ExternalLink>}
    >
      <p>{texts.text}</p>
      {owners.length > 0 && (
        <>
          <p>{texts.ask}</p>
          <ul className={classes.owners}>
            {owners.map(({ id, name, email }) => (
              <li key={id}>
                <bdi>{name ?? email}</bdi>
                {name !== null && (
                  <>
                    {' '}
                    <a href={`mailto:${email}`}>{email}</a>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
}
