import { useEffect, useEffectEvent, useId } from 'react';
import { createStore } from './api/store.ts';
import { read, write } from './api/stored.ts';
const registered = createStore([]);
/** All commands of what is shown now. */
export const commands = registered;
const settingName = 'single-key-shortcuts';
export const singleKeys = createStore(read(() => localStorage, settingName) !== 'off');
export function setSingleKeys(isOn) {
    write(() => localStorage, settingName, isOn ? 'on' : 'off');
    singleKeys.set(isOn);
}
/** Offers commands while the component is shown: in the list of commands, and by their keys. */
export function useCommands(offered) {
    const id = useId();
    const run = useEffectEvent((place) => offered[place]?.run());
    const signature = JSON.stringify(offered);
    useEffect(() => {
        const plain = JSON.parse(signature);
        const own = plain.map((each, place) => ({ ...each, id: `${id}${place}`, run: () => run(place) }));
        registered.set([...registered.get(), ...own]);
        return () => registered.set(registered.get().filter((each) => !own.includes(each)));
    }, [id, signature]);
}
const nextKeyWithinMs = 1200;
const fields = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
const ownKeys = `${fields}, [role=menu], [role=listbox], [role=dialog], [role=alertdialog]`;
/** Listens to the keys of all commands. Returns how to stop. */
export function listenToKeys() {
    let before = '';
    let beforeAt = 0;
    const listen = (event) => {
        if (event.defaultPrevented || event.isComposing || event.altKey)
            return;
        const isModified = event.ctrlKey || event.metaKey;
        if (!isModified && (!singleKeys.get() || isIn(event.target, ownKeys)))
            return;
        const key = event.key.toLowerCase();
        const pressed = isModified ? `mod+${key}` : key;
        const sequence = event.timeStamp - beforeAt < nextKeyWithinMs ? `${before} ${pressed}` : pressed;
        before = pressed;
        beforeAt = event.timeStamp;
        const all = registered.get();
        const found = all.findLast(({ keys }) => keys === sequence) ?? all.findLast(({ keys }) => keys === pressed);
        if (found === undefined)
            return;
        event.preventDefault();
        before = '';
        found.run();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
}
const isIn = (target, selector) => target instanceof Element && target.closest(selector) !== null;
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** The keys as their caps are labelled: `['G', 'A']`, `['⌘', 'K']`. */
export function keyCaps(keys) {
    return keys
        .split(/[ +]/)
        .map((key) => (key === 'mod' ? (isApple ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key));
}
