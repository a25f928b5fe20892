import { useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import { useIsOwner } from '../../workspace.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import classes from './disconnect-section.module.css';
import { strings } from './strings.ts';

/** The end of the connection, which is for owners. */
export function DisconnectSection({ account }: { readonly account: Account }) {
  const isOwner = useIsOwner();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title={strings.disconnect.title}
      isCard
      lead={strings.disconnect.text}
      actions={isOwner && <Button onPress={() => setOpen(true)}>{strings.disconnect.open}</Button>}
    >
      {!isOwner && <p className={classes['note']}>{strings.disconnect.ownersOnly}</p>}
      <DisconnectDialog account={account} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  );
}
