export { chooseSlot, horizonMs, type SlotChoice, type SlotRequest } from './choose-slot.ts';
export { Rhythm } from './schemas.ts';
export { readRhythm, setRhythm } from './store.ts';
