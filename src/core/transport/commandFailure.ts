// Why a command cannot be started, as far as looking it up tells: it is missing, a folder, or a file that is no program.
import type { ServerId } from '../../contract/serverConfig.ts';
import { ManagerError } from '../errors.ts';
import type { FoundCommand } from './findCommand.ts';

export function commandFailure(
  found: Exclude<FoundCommand, { kind: 'found' }>,
  { server, command }: { readonly server: ServerId; readonly command: string },
): ManagerError {
  switch (found.kind) {
    case 'folder':
      return new ManagerError('commandIsFolder', { server, command, path: found.path });
    case 'notExecutable':
      return new ManagerError('commandNotExecutable', { server, command, path: found.path });
    case 'notFound':
      return new ManagerError('commandNotFound', { server, command, path: found.lookedIn.join(', ') });
  }
}
