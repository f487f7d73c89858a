// What `--help` prints.

export type CommandName = 'list' | 'call' | 'doctor' | 'serve' | 'proxy';

export function programHelp(): string {
  return `mcp-roundhouse: lists, calls and examines the MCP servers of a configuration file.

Usage:
  mcp-roundhouse list   --config-file FILE [--json] [--allow-remote]
  mcp-roundhouse call   SERVER TOOL [JSON | -] --config-file FILE [--json] [--allow-remote]
  mcp-roundhouse doctor --config-file FILE [--json] [--allow-remote]
  mcp-roundhouse serve  --config-file FILE [--port N] [--allow-remote]
  mcp-roundhouse proxy  [--workspace DIR | --config-file FILE | --config JSON]
  mcp-roundhouse COMMAND --help
  mcp-roundhouse --version

Commands:
  list     start every enabled server and show what it offers
  call     call one tool and show its result
  doctor   try every server step by step and say what is wrong and what to do
  serve    serve them all to agents over HTTP on this machine
  proxy    serve them all to the agent that starts it, over stdin and stdout

Exit codes:
  ${codeLines([
    ['0', 'done; for list: the configuration was read, whatever became of the servers'],
    ['1', 'call: the tool answered with an error; doctor: a check failed'],
    ['2', 'the configuration was refused; stderr says file, line, column, server and field'],
    ['3', 'call: the call was not made, or it got no answer'],
    ['64', 'wrong arguments'],
    ['70', 'a fault of this program'],
    ['74', 'the output could not be written'],
    ['129, 130, 141, 143', 'ended by hang-up, Ctrl-C, a closed pipe, SIGTERM; all servers are stopped first'],
  ])}
`;
}

export function commandHelp(name: CommandName): string {
  return `${commandHelps[name]}\n${commonOptions}`;
}

const commandHelps: Readonly<Record<CommandName, string>> = {
  list: `Usage: mcp-roundhouse list --config-file FILE [--json] [--allow-remote] [--workspace DIR]

Starts every enabled server of FILE, all at once, and shows its state and its tools, resources, resource templates
and prompts, in the order of FILE. Exits with 0 whatever the states, with 2 when FILE is refused.

  --json              one JSON object when all are known:
                      {"servers":[{"id","state","era","revision","tools","resources","resourceTemplates","prompts",
                      "incomplete"?,"error"?:{"code","message","remedy"}}]}, items as the server sent them;
                      where FILE is refused, {"error":{"code","message","remedy"}}`,
  call: `Usage: mcp-roundhouse call SERVER TOOL [JSON | -] --config-file FILE [--json] [--allow-remote] [--workspace DIR]

Starts SERVER and calls its TOOL. JSON is the object of arguments; "-" reads it from stdin; without it, it is {}.
Arguments and structured results are checked against the tool's schemas. A tool with policy "ask" is not called:
nobody can be asked here. Your own rules, in ~/.mcp-roundhouse/mcp.json, hold for every FILE. Exits with 1 when the tool
answers with an error, with 3 when the call was not made or failed.

  --json              the result as the server sent it; a failure as {"error":{"code","message","remedy","outcome"}}`,
  serve: `Usage: mcp-roundhouse serve --config-file FILE [--port N] [--insecure-no-token] [--allow-remote] [--workspace DIR]

Serves the servers of FILE over HTTP on 127.0.0.1: each at /mcp/ID, and all of them at /mcp, where names
are mcp__ID__TOOL (/mcp?names=short: ID__TOOL), /mcp?tools=search has two tools that find and call all others, and
/mcp?mode=plan none that does anything. Prints one line of JSON when it listens, {"url","mcp","token","pid"}, and runs until it
is ended. A tool with policy "ask" is not called: nobody can be asked here.

  --port N            the port to listen on; the system chooses one where this is left out
  --insecure-no-token whoever reaches the port may call every tool: only for clients that cannot send a token`,
  proxy: `Usage: mcp-roundhouse proxy [--workspace DIR]
       mcp-roundhouse proxy (--config-file FILE | --config JSON) [--allow-remote] [--workspace DIR]

An MCP server on stdin and stdout: the one entry that an agent needs for all your servers.

Without a configuration it is attached to VS Code: to the window of the nearest folder around DIR, or around the current
folder, else to the window that was in front last. Servers, policies and questions are that window's. When the window is
loaded again or closed, it goes on with the same or the next one; what was under way then gets an error and is never
sent again. While none is open it has no tools, calls say "windowClosed", and it waits for a window; so it does while the
window of the nearest folder is in Restricted Mode.

With a configuration it needs no VS Code: it runs the servers of FILE or JSON itself, and they end with it. A tool with
policy "ask" is not called: nobody can be asked here.

  --config JSON       the configuration itself, as the text of such a file; other programs can see it`,
  doctor: `Usage: mcp-roundhouse doctor --config-file FILE [--json] [--allow-remote] [--workspace DIR]

Tries every enabled server of FILE: definition, command or URL, transport, sign-in, initialise, lists. Says for each
failure the reason and the remedy, and which variables of your environment the servers do not get. Gives a server
120 s at most, and 30 s without a sign of life. Exits with 1 when a check failed.

  --json              one JSON object when all are known`,
};

const commonOptions = `  --config-file FILE  the configuration (mcp.json). Naming it approves what it starts or reaches on this machine. To a
                      .roundhouse/mcp.json apply the rules for files of projects
  --allow-remote      reach its URLs of other machines too
  --workspace DIR     what \${workspaceFolder} stands for and where servers run; else the folder of FILE's .roundhouse,
                      else the current folder
  --help              this text
`;

function codeLines(codes: readonly (readonly [string, string])[]): string {
  return codes.map(([code, meaning]) => `${code.padEnd(20)}${meaning}`).join('\n  ');
}
