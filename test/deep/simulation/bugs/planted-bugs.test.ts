import { bugNames } from '../../../simulation/bugs/planted-bugs.ts';
import { testPlantedBugs } from '../../../simulation/bugs/test-planted-bugs.ts';

testPlantedBugs({ bugs: bugNames, mostSeeds: 30, processes: 2 });
