import { useEffect, useEffectEvent, useId } from 'react';
import { createStore } from './api/store.ts';
import { read, write } from './api/stored.ts';
import type { IconName } from './components/icon.tsx';

/** Something that the person can do from the keyboard or the list of commands. */
export interface Command {
  readonly id: string;
  /** Begins with a verb: “Create key”. */
  readonly name: string;
  readonly icon?: IconName | undefined;
  readonly group: 'goTo' | 'page' | 'preferences' | 'workspace' | 'help';
  /**
   * `n`: one key; `g a`: one after the other; `mod+k`: with Ctrl or ⌘. Single keys do nothing while the focus is in a field, if the
   * person has turned them off (but for Escape), or while a form has unsaved input: then only those of the page work, and only in its lists.
   */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

const registered = createStore<readonly Command[]>([]);
/** All commands of what is shown now. */
export const commands = registered;

const settingName = 'single-key-shortcuts';
export const singleKeys = createStore(read(() => localStorage, settingName) !== 'off');

export function setSingleKeys(isOn: boolean): void {
  write(() => localStorage, settingName, isOn ? 'on' : 'off');
  singleKeys.set(isOn);
}

/** Offers commands while the component is shown: in the list of commands, and by their keys. */
export function useCommands(offered: readonly Omit<Command, 'id'>[]): void {
  const id = useId();
  const run = useEffectEvent((place: number) => offered[place]?.run());
  const signature = JSON.stringify(offered);
  useEffect(() => {
    const plain = JSON.parse(signature) as Omit<Command, 'id' | 'run'>[];
    const own = plain.map(
      (each, place): Command => ({ ...each, id: `${id}${place}`, run: () => run(place) }),
    );
    registered.set([...registered.get(), ...own]);
    return () => registered.set(registered.get().filter((each) => !own.includes(each)));
  }, [id, signature]);
}

const unsaved = createStore<ReadonlySet<string>>(new Set());

/** Says that a form has input that is not saved, while it has. */
export function useUnsavedInput(isUnsaved: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    unsaved.set(new Set([...unsaved.get(), id]));
    return () => unsaved.set(new Set([...unsaved.get()].filter((each) => each !== id)));
  }, [id, isUnsaved]);
}

/** The text that somebody types for the list of commands while that is loading; `undefined` at other times. */
export const typedAhead = createStore<string | undefined>(undefined);

const nextKeyWithinMs = 1_200;
const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
const ownKeys = `${fields}, [role=menu], [role=listbox], [role=dialog], [role=alertdialog]`;
const lists = 'ul, ol, [role=grid], [role=table]';

/** Listens to the keys of all commands. Returns how to stop. */
export function listenToKeys(): () => void {
  let before = '';
  let beforeAt = 0;
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const isModified = event.ctrlKey || event.metaKey;
    const ahead = typedAhead.get();
    if (ahead !== undefined && !isModified && event.key.length === 1) {
      event.preventDefault();
      return typedAhead.set(ahead + event.key);
    }
    const key = event.key.toLowerCase();
    const isOff = !singleKeys.get() && key !== 'escape';
    if (!isModified && (isOff || isIn(event.target, ownKeys))) return;
    const pressed = isModified ? `mod+${key}` : key;
    const sequence = event.timeStamp - beforeAt < nextKeyWithinMs ? `${before} ${pressed}` : pressed;
    before = pressed;
    beforeAt = event.timeStamp;
    const found = commandOf(sequence) ?? commandOf(pressed);
    if (found === undefined) return;
    if (!isModified && unsaved.get().size > 0 && !(found.group === 'page' && isIn(event.target, lists)))
      return;
    event.preventDefault();
    before = '';
    found.run();
  };
  window.addEventListener('keydown', listen);
  return () => window.removeEventListener('keydown', listen);
}

/** A page's own command goes before one of every page. */
function commandOf(wanted: string): Command | undefined {
  const all = registered.get().filter(({ keys }) => keys === wanted);
  return all.findLast(({ group }) => group === 'page') ?? all.at(-1);
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const caps: Readonly<Record<string, string>> = { mod: isApple ? '⌘' : 'Ctrl', escape: 'Esc' };

/** The keys as their caps are labelled: `['G', 'A']`, `['⌘', 'K']`. */
export function keyCaps(keys: string): string[] {
  return keys.split(/[ +]/).map((key) => caps[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
