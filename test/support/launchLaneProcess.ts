// A process of its own with one lane (launchLane.ts) in the folder that it is given; launchLanes.ts sends it cases.
import type { LaunchCase } from './launchCases.ts';
import { LaunchLane } from './launchLane.ts';

const lane = new LaunchLane(process.argv[2] ?? '');
process.on('message', (of: LaunchCase) => {
  void lane.launch(of).then(
    (launched) => process.send?.({ launched }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
