//! `user create`: super users, and administrators with permissions.

use super::program::{ask, listening, printed, project, serve, transcript};

pub fn an_administrator_has_the_permissions_that_the_command_names() {
    let project = project("auth: { customers: members }\ndatabase: { url: 'sqlite://x.sqlite' }\n");
    let folder = project.path();
    printed(folder, &["migrate"]);
    let create = |name: &str, arguments: &[&str]| {
        let email = format!("{name}@example.com");
        let fixed = ["user", "create", "--email", &email, "--username", name];
        printed(
            folder,
            &[&fixed[..], &["--password", "formwork"], arguments].concat(),
        )
    };
    let made = create("none", &["--admin"]);
    assert_eq!(
        made,
        "Administrator 1: none@example.com\nPermissions: none\n"
    );
    let made = create(
        "reader",
        &["--admin", "--permissions", "members.read,books.*"],
    );
    let expected = "Administrator 2: reader@example.com\nPermissions: members.read, books.*\n";
    assert_eq!(made, expected);
    let made = create("chef", &["--super"]);
    assert_eq!(made, "Super user 3: chef@example.com\n");
    let unknown = "user create --email x@example.com --admin --permissions member.read";
    let unknown = transcript(folder, unknown);
    let rejected = unknown.contains("did you mean `members.read`?");
    assert!(rejected && unknown.ends_with("[exit 1]"), "{unknown}");

    let mut service = serve(folder);
    let address = listening(&mut service);
    let status = |name: &str| {
        let email = format!("{name}@example.com");
        let token = ["token", "--name", "x", "--email", &email, "--admin"];
        let line = printed(folder, &token);
        let token = line.trim().strip_prefix("Access Token: ").expect("a token");
        let answer = ask(&address, "/api/members", token);
        answer.split(' ').nth(1).expect("a status").to_owned()
    };
    let statuses = ["none", "reader", "chef"].map(status);
    service.kill().expect("a process is killed");
    service.wait().expect("it ends");
    assert_eq!(statuses, ["403", "200", "200"]);
}
