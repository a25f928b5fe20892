import { useEffect, useRef, useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection, Text } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useStore } from '../api/store.ts';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import popover from '../components/popover.module.css';
import { type Command, commands, keyCaps } from '../shortcuts.ts';
import { words } from '../words/words.ts';
import { useMe, useWorkspace } from '../workspace.tsx';
import classes from './command-palette.module.css';
import { useChooseWorkspace } from './workspace-switcher.tsx';

const groups = [
  ['page', words.shared.commands.onThisPage],
  ['goTo', words.shared.commands.goTo],
  ['workspace', words.shared.commands.workspace],
  ['preferences', words.shared.commands.preferences],
  ['help', words.shared.commands.help],
] as const;

/** Finds a command by the words in its name, and runs it. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const all = [...useStore(commands), ...useWorkspaceCommands()];
  const [focused] = useState(() => document.activeElement);
  const chosen = useRef<Command>(undefined);
  useEffect(
    () => () => {
      if (chosen.current === undefined) return;
      // A dialog that it opens gives the focus back to what has it now.
      if (focused instanceof HTMLElement) focused.focus();
      chosen.current.run();
    },
    [focused],
  );
  return (
    <ModalOverlay className={classes.backdrop} isOpen isDismissable onOpenChange={onClose}>
      <Modal className={classes.modal}>
        <Dialog className={classes.dialog} aria-label={words.shared.commands.open}>
          <Autocomplete filter={(text, words) => words.split(/\s+/).every((word) => contains(text, word))}>
            <SearchField className={classes.search} aria-label={words.shared.commands.search} autoFocus>
              <Icon name="search" />
              <Input className={classes.input} placeholder={words.shared.commands.placeholder} />
            </SearchField>
            <Menu
              className={classes.list}
              aria-label={words.shared.commands.open}
              onAction={(key) => {
                chosen.current = all.find(({ id }) => id === key);
                onClose();
              }}
              renderEmptyState={() => <p className={popover.empty}>{words.shared.commands.none}</p>}
            >
              {groups.map(([group, title]) => (
                <Group
                  key={group}
                  title={title}
                  of={all.filter((each) => each.group === group && each.keys !== 'mod+k')}
                />
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Group({ title, of }: { title: string; of: readonly Command[] }) {
  if (of.length === 0) return null;
  return (
    <MenuSection className={popover.section}>
      <Header className={popover.heading}>{title}</Header>
      {of.map(({ id, name, icon = 'arrow', keys }) => (
        <MenuItem key={id} id={id} textValue={name} className={popover.item}>
          <Icon name={icon} />
          <Text slot="label" className={join(popover.text, classes.label)}>
            {name}
            {keys && (
              <span className={classes.keys}>
                {keyCaps(keys).map((cap) => (
                  <kbd key={cap} className={classes.cap}>
                    {cap}
                  </kbd>
                ))}
              </span>
            )}
          </Text>
        </MenuItem>
      ))}
    </MenuSection>
  );
}

function useWorkspaceCommands(): Command[] {
  const { workspaces } = useMe();
  const { id: shown } = useWorkspace();
  const choose = useChooseWorkspace();
  return workspaces
    .filter(({ id }) => id !== shown)
    .map(({ id, name }) => ({ id, name, group: 'workspace', icon: 'accounts', run: () => choose(id) }));
}
