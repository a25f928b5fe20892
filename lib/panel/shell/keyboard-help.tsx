import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Switch } from '../components/switch.tsx';
import { type Command, commands, keyCaps, setSingleKeys, singleKeys } from '../shortcuts.ts';
import { words } from '../words/words.ts';
import palette from './command-palette.module.css';

/** Lists the keys that do something here, and turns single keys off and on. */
export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const isOn = useStore(singleKeys);
  const withKeys = useStore(commands).filter(({ keys }) => keys !== undefined);
  return (
    <Dialog title={words.shared.keyboard.title} isOpen onClose={onClose} size="medium">
      <DialogBody>
        <Keys
          title={words.shared.keyboard.onThisPage}
          of={withKeys.filter(({ group }) => group === 'page')}
        />
        <Keys
          title={words.shared.keyboard.everywhere}
          of={withKeys.filter(({ group }) => group !== 'page')}
        />
        <Switch isSelected={isOn} onChange={setSingleKeys} note={words.shared.keyboard.singleHelp}>
          {words.shared.keyboard.single}
        </Switch>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{words.shared.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Keys({ title, of }: { title: string; of: readonly Command[] }) {
  if (of.length === 0) return null;
  return (
    <section className={palette.helpGroup}>
      <h3>{title}</h3>
      <dl className={palette.help}>
        {of.map(({ id, name, keys = '' }) => (
          <div key={id} className={palette.helpRow}>
            <dt>{name}</dt>
            <dd className={palette.keys}>
              {keyCaps(keys).map((cap) => (
                <kbd key={cap} className={palette.cap}>
                  {cap}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
