/** Gives Node.js Temporal, which browsers have, or load in `lib/panel/main.tsx`. */
import 'temporal-polyfill/global';
