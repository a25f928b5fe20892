import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CurlDialog } from '../../components/curl-dialog.tsx';
import { useCurl } from '../../curl.ts';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import classes from './developers.module.css';
import { KeyList } from './keys/key-list.tsx';
import type { KeyAction } from './keys/key-menu.tsx';
import { NewKeyDialog } from './keys/new-key-dialog.tsx';
import { requestFor } from './keys/request-for.ts';
import { RevokeKeyDialog } from './keys/revoke-key-dialog.tsx';
import { RotateKeyDialog } from './keys/rotate-key-dialog.tsx';
import type { Key } from './names.ts';

type Open = { kind: 'new' } | { kind: KeyAction; key: Key } | undefined;

/** The API keys of the workspace. */
export default function KeysTab() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const curl = useCurl();
  const create = () => setOpen({ kind: 'new' });
  const openFor = (kind: KeyAction, key: Key) => setOpen({ kind, key });
  useCommands([{ name: words.keysTab.create, icon: 'plus', group: 'page', keys: 'n', run: create }]);
  return (
    <div className={classes.tab}>
      <header className={classes.head}>
        <p className={classes.lead}>{words.keysTab.lead}</p>
        <Button variant="primary" icon="plus" onPress={create}>
          {words.keysTab.create}
        </Button>
      </header>
      <KeyList onOpen={openFor} />
      {open?.kind === 'new' && <NewKeyDialog onClose={close} />}
      {open?.kind === 'curl' && (
        <CurlDialog command={curl(requestFor(open.key.permissions))} onClose={close} />
      )}
      {open?.kind === 'rotate' && <RotateKeyDialog apiKey={open.key} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeKeyDialog apiKey={open.key} onClose={close} />}
    </div>
  );
}
