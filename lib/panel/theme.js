import { createStore } from './api/store.ts';
import { read, write } from './api/stored.ts';
export const themes = ['system', 'light', 'dark'];
const name = 'theme';
const kept = read(() => localStorage, name);
export const theme = createStore(themes.find((each) => each === kept) ?? 'system');
export function setTheme(choice) {
    write(() => localStorage, name, choice);
    theme.set(choice);
}
/** Shows the page in the theme that the person chose in this browser. */
export function startTheme() {
    const apply = () => {
        document.documentElement.dataset['theme'] = theme.get();
    };
    theme.subscribe(apply);
    apply();
}
