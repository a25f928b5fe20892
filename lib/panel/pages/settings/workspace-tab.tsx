import type { ReactNode } from 'react';
import type { readWorkspaceOperation } from '../../../workspaces/operations.ts';
import { useGet } from '../../api/hooks.ts';
import { join } from '../../components/classes.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { locale, words } from '../../words/words.ts';
import { useIsOwner } from '../../workspace.tsx';
import { clockIn, zoneTitle } from '../../zones.ts';
import { Reading } from './reading.tsx';
import classes from './settings.module.css';
import { Facts } from './workspace/facts.tsx';
import { Storage } from './workspace/storage.tsx';
import { WorkspaceForm } from './workspace/workspace-form.tsx';
import type { WorkspaceReply } from './workspace/workspace-reply.ts';

const texts = words.settingsPage.workspace;
const numbers = new Intl.NumberFormat(locale);

/** Name and time zone, which owners change; storage; numbers; the id. */
export default function WorkspaceTab() {
  const workspace = useGet<typeof readWorkspaceOperation>('/v1/workspace');
  return (
    <Reading of={workspace}>
      {({ workspace }) => (
        <div className={join(classes.sections, classes.narrow)}>
          <General workspace={workspace} />
          <Section title={texts.storage} isCard>
            <Storage {...workspace.storage} />
          </Section>
          <Section title={texts.facts} isCard>
            <Numbers workspace={workspace} />
          </Section>
        </div>
      )}
    </Reading>
  );
}

interface PartProps {
  workspace: WorkspaceReply;
}

function General({ workspace }: PartProps) {
  const isOwner = useIsOwner();
  return (
    <Section title={texts.general} lead={isOwner ? undefined : texts.ownersEdit} isCard>
      {isOwner ? (
        <WorkspaceForm workspace={workspace} />
      ) : (
        <Facts
          of={[
            { name: texts.name, value: <bdi>{workspace.name}</bdi> },
            { name: texts.timezone, value: <ZoneText id={workspace.timezone} /> },
          ]}
        />
      )}
    </Section>
  );
}

function ZoneText({ id }: { id: string }) {
  const { time, offset } = clockIn(id, new Date());
  return (
    <>
      {zoneTitle(id)} <span className={classes.muted}>({texts.zoneNote(time, offset)})</span>
    </>
  );
}

function Numbers({ workspace: { id, createdAt, counts } }: PartProps) {
  const isOwner = useIsOwner();
  const forOwners = (to: string, number: ReactNode) => (isOwner ? <Link to={to}>{number}</Link> : number);
  return (
    <Facts
      of={[
        { name: texts.accounts, value: <Link to="/accounts">{numbers.format(counts.accounts)}</Link> },
        { name: texts.webhooks, value: forOwners('/developers/endpoints', numbers.format(counts.webhooks)) },
        { name: texts.keys, value: forOwners('/developers', numbers.format(counts.keys)) },
        { name: texts.created, value: <Time at={createdAt} /> },
        {
          name: texts.id,
          value: (
            <span className={classes.id}>
              <code>{id}</code>
              <CopyButton text={id} label={texts.copyId} />
            </span>
          ),
        },
      ]}
    />
  );
}
