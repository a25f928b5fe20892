import { testTestedBugs } from '../../../simulation/bugs/test-tested-bugs.ts';
import { testedBugNames } from '../../../simulation/bugs/tested-bugs.ts';

testTestedBugs(testedBugNames);
