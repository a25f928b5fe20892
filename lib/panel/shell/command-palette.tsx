import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection, Text } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { sentence } from '../components/error-notice.tsx';
import { Icon } from '../components/icon.tsx';
import { Muted } from '../components/layout.tsx';
import popover from '../components/popover.module.css';
import { type Command, commands, keyCaps, typedAhead } from '../shortcuts.ts';
import { words } from '../words/words.ts';
import { useMe, useWorkspace } from '../workspace.tsx';
import classes from './command-palette.module.css';
import { type FoundGroup, foundPrefix, usePaletteSearch } from './palette-search.ts';
import { useChooseWorkspace } from './workspace-switcher.tsx';

const groups = [
  ['page', words.shared.commands.onThisPage],
  ['goTo', words.shared.commands.goTo],
  ['workspace', words.shared.commands.workspace],
  ['preferences', words.shared.commands.preferences],
  ['help', words.shared.commands.help],
] as const;

const texts = words.palette;

/** Finds commands, and what the workspace has, by words. Commands run, and what was found opens its page. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const router = useRouter();
  const all = [...useStore(commands), ...useWorkspaceCommands()];
  const [typed, setTyped] = useState(() => typedAhead.get() ?? '');
  useEffect(() => typedAhead.set(undefined), []);
  const [focused] = useState(() => document.activeElement);
  const chosen = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      if (chosen.current === undefined) return;
      // A dialog that it opens gives the focus back to what has it now.
      if (focused instanceof HTMLElement) focused.focus();
      chosen.current();
    },
    [focused],
  );
  const hasAll = (text: string, search: string) => search.split(/\s+/).every((word) => contains(text, word));
  const search = usePaletteSearch(typed, hasAll);
  const { words: searched, groups: foundGroups, isSearching, error } = search;
  const found = foundGroups.flatMap((group) => group.found);
  const hasPosts = foundGroups.some(({ title }) => title === texts.posts);
  const hasCommands = all.some(({ name }) => hasAll(name, typed));
  const isNothing = found.length === 0 && !hasCommands;
  const state = () => {
    if (isSearching) return texts.searching;
    if (error !== null || hasPosts) return undefined;
    if (searched === '') return isNothing ? texts.noCommands : undefined;
    return isNothing ? texts.none(searched) : texts.noPosts(searched);
  };
  const goTo = (href: string) => void router.navigate({ href });
  const choose = (key: unknown) => {
    const thing = found.find(({ id }) => id === key);
    chosen.current = thing ? () => goTo(thing.href) : all.find(({ id }) => id === key)?.run;
    onClose();
  };
  return (
    <ModalOverlay className={classes.backdrop} isOpen isDismissable onOpenChange={onClose}>
      <Modal className={classes.modal}>
        <Dialog className={classes.dialog} aria-label={words.shared.commands.open}>
          <Autocomplete
            inputValue={typed}
            onInputChange={setTyped}
            // The service has decided about what was found.
            filter={(text, search, { key }) => String(key).startsWith(foundPrefix) || hasAll(text, search)}
          >
            <SearchField className={classes.search} aria-label={texts.search} autoFocus>
              <Icon name="search" />
              <Input className={classes.input} placeholder={texts.placeholder} />
            </SearchField>
            <Menu className={classes.list} aria-label={words.shared.commands.open} onAction={choose}>
              {groups.map(([group, title]) => (
                <Group
                  key={group}
                  title={title}
                  of={all.filter((each) => each.group === group && each.keys !== 'mod+k')}
                />
              ))}
              {foundGroups.map(({ title, found }) => (
                <FoundSection key={title} title={title} found={found} />
              ))}
            </Menu>
          </Autocomplete>
          {/* In the page at all times: only what changes in it is read out. */}
          <p className={join(popover.empty, classes.state)} role="status">
            {state()}
          </p>
          {!isSearching && error && (
            <div className={classes.failed} role="alert">
              <p>
                {texts.failed} {sentence(error.message)}
              </p>
              <Button size="small" onPress={search.retry}>
                {words.shared.actions.retry}
              </Button>
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function FoundSection({ title, found }: FoundGroup) {
  return (
    <MenuSection className={popover.section}>
      <Header className={popover.heading}>{title}</Header>
      {found.map(({ id, name, note, icon }) => (
        <MenuItem key={id} id={id} textValue={name} className={popover.item}>
          <Icon name={icon} />
          <Text slot="label" className={popover.text}>
            <bdi>{name}</bdi>
            {note !== '' && (
              <Muted as="span" size="xs" className={classes.note}>
                {note}
              </Muted>
            )}
          </Text>
        </MenuItem>
      ))}
    </MenuSection>
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
